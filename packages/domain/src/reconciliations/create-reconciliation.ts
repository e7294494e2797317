import { randomUUIDv7 } from 'node:crypto';
import {
  type CreateReconciliationRequest,
  LIMITS,
  type Reconciliation,
  type ReconciliationRequest,
} from '@causeway/contracts';
import { sql } from '@causeway/db';
import { findManifest, manifestStateNotAllowed } from '../manifests/get-manifest.ts';
import { SHARE_MANIFEST } from '../manifests/manifest.sql.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';
import { findReconciliation, getReconciliation } from './get-reconciliation.ts';

/**
 * Ends a reconciliation without a verdict (behaviour 23.5); the differences that it has found stay. Cancelling again
 * changes nothing. Refuses with `reconciliation_does_not_exist`, and `reconciliation_state_not_allowed` if it is
 * FINISHED.
 */
export async function cancelReconciliation(context: Context, request: ReconciliationRequest): Promise<Reconciliation> {
  const { id } = await findReconciliation(context, request.reconciliation_id);
  await context.database.query(CANCEL_RECONCILIATION, auditValues(context, id));
  const cancelled = await getReconciliation(context, request);
  if (cancelled.state === 'CANCELLED') return cancelled;
  const detail = `A reconciliation that is ${cancelled.state} cannot be cancelled: it has its verdict.`;
  throw new DomainError('reconciliation_state_not_allowed', detail, { attr: 'reconciliation_id' });
}

/** Cancels a reconciliation that has not ended, after the range that is being compared. No row: it has ended. */
const CANCEL_RECONCILIATION = sql('cancel-reconciliation', { id: 'uuid' })`
  WITH changed AS (
    UPDATE reconciliations
    SET state = 'CANCELLED', finished_at = ${'at'}
    WHERE id = ${'id'} AND state IN ('PLANNING', 'RUNNING')
    RETURNING id
  ),
  audit AS (INSERT INTO audit_events ${AUDITED} 'reconciliation', 'cancelled', NULL FROM changed)
  SELECT id FROM changed`;

/**
 * Creates a reconciliation of a sealed manifest, which the lanes then run (behaviour 23.5). Refuses with
 * `manifest_does_not_exist`, `manifest_state_not_allowed` if it is not SEALED, and `too_many_reconciliations`.
 */
export async function createReconciliation(
  context: Context,
  { manifest_id }: CreateReconciliationRequest,
): Promise<Reconciliation> {
  const id = randomUUIDv7();
  await context.database.transaction(async (database) => {
    const manifest = await findManifest({ ...context, database }, manifest_id, SHARE_MANIFEST);
    if (manifest.state !== 'SEALED') throw manifestStateNotAllowed(manifest.state, 'cannot be compared');
    const { import_supplier_code } = manifest;
    await database.query(LOCK_RECONCILIATIONS, { import_supplier_code });
    const [limits] = await database.query(READ_RECONCILIATION_LIMITS, { import_supplier_code });
    const { unfinished = 0, all_accounts = 0 } = limits ?? {};
    refuseTooMany(unfinished);
    const bounds = rangeBounds(Math.max(manifest.totals.accounts, all_accounts));
    await database.query(CREATE_RECONCILIATION, {
      ...auditValues(context, id),
      manifest_id: manifest.id,
      import_supplier_code,
      ranges: JSON.stringify(bounds.map((range, index) => ({ number: index + 1, ...range }))),
    });
  });
  return getReconciliation(context, { reconciliation_id: id });
}

function refuseTooMany(unfinished: number): void {
  if (unfinished < LIMITS.reconciliation_unfinished) return;
  const detail = `The import supplier has ${unfinished} reconciliations that have not finished: wait for one.`;
  throw new DomainError('too_many_reconciliations', detail);
}

/** Waits for other creations of the import supplier's: they are committed in the order of their places. */
const LOCK_RECONCILIATIONS = sql('lock-reconciliations', { lock: 'void' })`
  SELECT pg_advisory_xact_lock(hashtextextended('reconciliations ' || ${'import_supplier_code'}, 0)) AS lock`;

/**
 * How many reconciliations of the import supplier have not ended; and how many accounts there are, of all import
 * suppliers, as PostgreSQL has it in its statistics.
 */
const READ_RECONCILIATION_LIMITS = sql('read-reconciliation-limits', {
  unfinished: 'integer',
  all_accounts: 'double precision',
})`
  SELECT
    (
      SELECT count(*)::integer
      FROM reconciliations
      WHERE import_supplier_code = ${'import_supplier_code'}
        AND state IN ('PLANNING', 'RUNNING')
    ) AS unfinished,
    coalesce((
      SELECT reltuples
      FROM pg_class
      WHERE oid = 'account_imports'::regclass
    ), 0)::double precision AS all_accounts`;

/** With its ranges, the first of which is 1. */
const CREATE_RECONCILIATION = sql('create-reconciliation')`
  WITH reconciliation AS (
    INSERT INTO reconciliations (id, import_supplier_code, manifest_id, created_by, created_at)
    VALUES (${'id'}, ${'import_supplier_code'}, ${'manifest_id'}, ${'api_key_id'}, ${'at'})
    RETURNING id
  ),
  range AS (
    INSERT INTO reconciliation_ranges (reconciliation_id, number, from_id, to_id)
    SELECT reconciliation.id, number, range.from_id, range.to_id
    FROM reconciliation, json_to_recordset(${'ranges'}::json) AS range (number integer, from_id uuid, to_id uuid)
  )
  INSERT INTO audit_events ${AUDITED} 'reconciliation', 'created',
    jsonb_build_object('import_supplier', ${'import_supplier_code'}::text, 'manifest_id', ${'manifest_id'}::uuid)
  FROM reconciliation`;

/** Accounts with `from_id` <= id < `to_id`; the last range has no end. */
export interface RangeBounds {
  from_id: string;
  to_id: string | null;
}

const ID_BITS = 128n;

/**
 * Ranges of ids of equal width, as many as hold these accounts if each has `reconciliation_range_accounts`: ids are
 * hashes, so that each range has about as many.
 */
export function rangeBounds(accounts: number): RangeBounds[] {
  const count = Math.max(Math.ceil(accounts / LIMITS.reconciliation_range_accounts), 1);
  const start = (number: number) => uuidOf((BigInt(number) << ID_BITS) / BigInt(count));
  return Array.from({ length: count }, (_, number) => ({
    from_id: start(number),
    to_id: number + 1 === count ? null : start(number + 1),
  }));
}

function uuidOf(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
