import { createSecretKey } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { jwtVerify } from 'jose';
import { type Fields, read } from './database.ts';
import { Refusal } from './refusal.ts';

const { TOKEN_SECRET = '' } = process.env;
const REMEMBERED_FOR_MS = 4_000;

export interface Actor {
  kind: 'supplier' | 'staff';
  id: string;
  organisation: string | null;
}
declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
  }
}

/** Remembers what `find` found for a few seconds; failures are not remembered. */
export function remembered<Value>(find: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const known = new Map<string, { value: Promise<Value>; until: number }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined && before.until > Date.now()) return before.value;
    const value = find(key);
    known.set(key, { value, until: Date.now() + REMEMBERED_FOR_MS });
    value.catch(() => known.delete(key));
    return value;
  };
}

const secret = createSecretKey(TOKEN_SECRET, 'utf8');
const unauthorised = () => new Refusal(401, 'authentication_failed', 'The token is not valid.');
export const actorOf = remembered(async (token): Promise<Actor> => {
  const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], issuer: 'causeway' }).catch(() => {
    throw unauthorised();
  });
  const [key] = await read<{ organisation_id: string | null }>(
    'api-key',
    'SELECT organisation_id FROM api_keys WHERE id = $1 AND revoked_at IS NULL',
    [payload.sub],
  );
  if (key === undefined || payload.sub === undefined) throw unauthorised();
  const { organisation_id: organisation } = key;
  return { kind: organisation === null ? 'staff' : 'supplier', id: payload.sub, organisation };
});

interface Supplier extends Fields {
  organisation_id: string;
  country: string;
}
const supplierOf = remembered(async (code): Promise<Supplier | undefined> => {
  const sql = 'SELECT organisation_id, country FROM import_suppliers WHERE code = $1';
  return (await read<Supplier>('supplier', sql, [code]))[0];
});

export async function usableSupplier({ actor }: FastifyRequest, code: string, status = 400): Promise<Supplier> {
  const supplier = await supplierOf(code);
  if (supplier === undefined || (actor.kind !== 'staff' && actor.organisation !== supplier.organisation_id)) {
    throw new Refusal(status, 'import_supplier_does_not_exist', 'There is no import supplier with this code.');
  }
  return supplier;
}
