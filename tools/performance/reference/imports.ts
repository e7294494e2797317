import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Fields, Query } from '../shared/database.ts';
import type { NotesRequest, ofAccount } from '../shared/payloads.ts';
import { accountNotFound, alreadyImported, nothingStaged, Refusal } from '../shared/refusal.ts';

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
  if (row === undefined) throw nothingStaged();
  if (row.state === 'SKIPPED')
    throw new Refusal(400, 'account_import_process_skipped', 'The account is to be skipped.');
  if (row.state !== 'COMPLETED') return;
  const sql = 'SELECT service_account_number FROM accounts WHERE account_import_id = $1';
  const [account] = await query<{ service_account_number: string }>('account-number', sql, [id]);
  throw alreadyImported({ external_account_number: row.number, ...account });
}
