import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';
import { READ_RECONCILIATION, type ReconciliationRow } from './reconciliation.sql.ts';

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

/** What to do about a reconciliation that has not finished, or never will. */
export const untilFinished = (state: string) =>
  state === 'CANCELLED' ? 'Create another one.' : 'Wait until it is FINISHED.';

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
