import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** Cancels a reconciliation that has not ended, after the range that is being compared. No row: it has ended. */
export const CANCEL_RECONCILIATION = sql('cancel-reconciliation', { id: 'uuid' })`
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
