import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

export const SET_BULK_JOB_LIMITS = sql('set-bulk-job-limits', { id: 'uuid' })`
  WITH changed AS (
    UPDATE bulk_jobs
    SET options = options || ${'limits'}::jsonb, next_claim_at = NULL
    WHERE id = ${'id'} AND state NOT IN ('FINISHED', 'CANCELLED')
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'bulk_job', 'limits_set', ${'limits'}::jsonb
    FROM changed
  )
  SELECT id FROM changed`;
