import { createSecretKey } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { jwtVerify } from 'jose';
import { type Query, read } from './database.ts';
import type { Fields } from './payloads.ts';
import { Refusal } from './refusals.ts';

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
function remembered<Value>(find: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
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

export async function ongoingSupplier(
  query: Query,
  code: string,
): Promise<{ process_concurrency_limit: number | null }> {
  const [supplier] = await query<{ status: string; process_concurrency_limit: number | null }>(
    'supplier-status',
    'SELECT status, process_concurrency_limit FROM import_suppliers WHERE code = $1',
    [code],
  );
  if (supplier?.status === 'ONGOING') return supplier;
  throw new Refusal(400, 'import_supplier_migration_not_ongoing', 'The migration of this supplier is not ongoing.');
}

/** Says why an account import is not pending; returns where it is. */
export async function refuseUnlessPending(
  query: Query,
  id: string,
  row: { state: string; number: string } | undefined,
) {
  if (row === undefined) throw new Refusal(400, 'import_process_does_not_exist', 'No data is staged for this account.');
  if (row.state === 'SKIPPED')
    throw new Refusal(400, 'account_import_process_skipped', 'The account is to be skipped.');
  if (row.state !== 'COMPLETED') return;
  const sql = 'SELECT service_account_number FROM accounts WHERE account_import_id = $1';
  const [account] = await query<{ service_account_number: string }>('account-number', sql, [id]);
  throw new Refusal(400, 'account_import_process_already_imported', 'This account has already been imported.', {
    external_account_number: row.number,
    ...account,
  });
}
