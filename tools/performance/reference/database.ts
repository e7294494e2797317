import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import type { z } from 'zod';
import type { Fields, NotesRequest, ofAccount } from './payloads.ts';
import { accountNotFound } from './refusals.ts';

const { DATABASE_URL = '', DATABASE_POOL_SIZE = '20' } = process.env;

pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
export const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  options: '-c TimeZone=UTC',
  max: Number(DATABASE_POOL_SIZE),
  statement_timeout: 30_000,
  lock_timeout: 15_000,
  idle_in_transaction_session_timeout: 10_000,
});

export type Query = <Row extends Fields>(name: string, sql: string, values: unknown[]) => Promise<Row[]>;
const queryOn =
  (client: pg.Pool | pg.PoolClient): Query =>
  async <Row extends Fields>(name: string, sql: string, values: unknown[]) =>
    (await client.query<Row>({ name, text: sql, values })).rows;
export const read = queryOn(pool);

export async function inTransaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(queryOn(client));
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const failed = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    client.release(failed);
    throw error;
  }
}

export function accountImportId(supplier: string, account: string): string {
  const hash = createHash('sha256');
  for (const part of ['account_import', supplier, account]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(part));
    hash.update(length).update(part);
  }
  const digest = hash.digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex', 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

export const lockKey = (id: string) => BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(0, 16)}`)).toString();

export async function audit(
  query: Query,
  request: FastifyRequest,
  event: { id: string; action: string; detail?: Fields },
) {
  await query(
    'audit',
    `INSERT INTO audit_events (subject_id, subject, action, actor, api_key_id, request_id, detail, occurred_at)
    VALUES ($1, 'account_import', $2, $3, $4, $5, $6, $7)`,
    [event.id, event.action, request.actor.kind, request.actor.id, request.id, event.detail ?? null, new Date()],
  );
}

/** The account, locked until the transaction ends, so that two equal requests at once add once. */
export async function lockAccount(query: Query, body: z.output<typeof NotesRequest> | Fields, status: number) {
  const { import_supplier, external_account_number } = body as { [Key in keyof typeof ofAccount]: string };
  const id = accountImportId(import_supplier, external_account_number);
  const [account] = await query<{ open_statement_from: string }>(
    'lock-account',
    `SELECT account.open_statement_from
    FROM accounts account JOIN account_imports import ON import.id = account.account_import_id
    WHERE account.account_import_id = $1 AND import.import_supplier_code = $2 AND import.external_account_number = $3
    FOR UPDATE OF account`,
    [id, import_supplier, external_account_number],
  );
  if (account === undefined) throw accountNotFound(status);
  return { id, ...account };
}
