import type { Reconciliation, ReconciliationRequest } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';
import { findReconciliation } from './find-reconciliation.ts';
import { getReconciliation } from './get-reconciliation.ts';

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
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
    SELECT ${AUDIT_VALUES}, 'reconciliation', 'cancelled'
    FROM changed
  )
  SELECT id
  FROM changed`;
