import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** Of a locked job. */
export const START_BULK_JOB = sql('start-bulk-job')`
  WITH started AS (
    UPDATE bulk_jobs
    SET
      state = 'PLANNING',
      run = run + 1,
      run_mode = ${'run_mode'}::bulk_run_mode,
      lines = ${'lines'},
      run_by = ${'api_key_id'},
      started_at = ${'at'},
      resumed_at = NULL,
      files_expire_at = NULL,
      next_claim_at = NULL
    WHERE id = ${'id'}
      AND state IN ('OPEN', 'REHEARSED')
    RETURNING run, run_mode, lines
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_VALUES}, 'bulk_job', 'started', jsonb_build_object('run', run, 'run_mode', run_mode, 'lines', lines)
  FROM started`;
