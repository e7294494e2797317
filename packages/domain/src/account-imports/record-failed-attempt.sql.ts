import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

export const RECORD_FAILED_ATTEMPT = sql('record-failed-attempt')`
  WITH failed AS (
    UPDATE account_imports
    SET
      state = 'FAILED',
      attempts = attempts + 1,
      last_error = ${'error'}::jsonb,
      updated_at = ${'at'},
      failed_at = ${'at'}
    WHERE id = ${'id'} AND state IN ('STAGED', 'FAILED')
    RETURNING id
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_VALUES}, 'account_import', 'process_failed', ${'error'}::jsonb
  FROM failed`;
