import type { Reconciliation, ReconciliationRecord, ReconciliationRequest } from '@causeway/contracts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../shared/dates.ts';
import { findReconciliation } from './find-reconciliation.ts';
import type { ReconciliationListRow } from './reconciliation.sql.ts';
import { signOffOf } from './sign-off-reconciliation.ts';

/** A reconciliation as a list has it. */
export function reconciliationRecord(row: ReconciliationListRow): ReconciliationRecord {
  return {
    id: row.id,
    import_supplier: row.import_supplier_code,
    manifest_id: row.manifest_id,
    state: row.state,
    verdict: row.verdict,
    created_at: utcDatetime(row.created_at),
    started_at: utcDatetimeOrNull(row.started_at),
    finished_at: utcDatetimeOrNull(row.finished_at),
    signed_off: signOffOf(row),
  };
}

/**
 * A reconciliation with its verdict, or how far it is (behaviour 23.4). Refuses with `reconciliation_does_not_exist`.
 */
export async function getReconciliation(
  context: Context,
  { reconciliation_id }: ReconciliationRequest,
): Promise<Reconciliation> {
  const row = await findReconciliation(context, reconciliation_id);
  const { missing, extra, not_created, skipped, different } = row;
  const accounts =
    missing === null || extra === null || not_created === null || skipped === null || different === null
      ? null
      : { missing, extra, not_created, skipped, different };
  return {
    ...reconciliationRecord(row),
    ranges: row.ranges,
    ranges_done: row.ranges_done,
    round: row.round,
    totals: row.totals,
    accounts,
    differences: row.differences === null ? null : Number(row.differences),
    differences_digest: row.differences_digest,
    covered: row.covered,
    moved_ranges: row.moved_ranges,
  };
}
