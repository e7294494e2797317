import type {
  ListReconciliationsRequest,
  Reconciliation,
  ReconciliationRecord,
  ReconciliationRequest,
} from '@causeway/contracts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { listOfSupplier } from '../shared/list-page.ts';
import {
  LIST_RECONCILIATIONS,
  READ_RECONCILIATION,
  type ReconciliationListRow,
  type ReconciliationRow,
} from './reconciliation.sql.ts';
import { signOffOf } from './sign-off-reconciliation.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * A reconciliation that the caller may see. Another organisation's gets the same answer as an id that was never created
 * (behaviour 23.5): `reconciliation_does_not_exist`.
 */
export async function findReconciliation(context: Context, id: string): Promise<ReconciliationRow> {
  const found = await readReconciliation(context, id);
  if (found !== undefined) return found;
  throw new DomainError('reconciliation_does_not_exist', 'There is no reconciliation with this id.', {
    attr: 'reconciliation_id',
  });
}

/** The same; undefined if none exists. */
export async function readReconciliation(
  { actor, database }: Context,
  id: string,
): Promise<ReconciliationRow | undefined> {
  const [found] = UUID.test(id) ? await database.query(READ_RECONCILIATION, { id }) : [];
  return found !== undefined && (actor.kind === 'staff' || actor.organisationId === found.organisation_id)
    ? found
    : undefined;
}

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

/** One page of an import supplier's reconciliations, oldest first (behaviour 23.5), as `listOfSupplier` tells. */
export function listReconciliations(context: Context, request: ListReconciliationsRequest) {
  return listOfSupplier(context, request, {
    statement: LIST_RECONCILIATIONS,
    record: reconciliationRecord,
    read: readReconciliation,
    name: 'reconciliations',
  });
}
