import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';
import { eventOfJob, JOB_OF_EVENT } from '../events/events.sql.ts';

/** Of a locked job. */
export const START_BULK_JOB = sql('start-bulk-job')`
  WITH changed AS (
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
    RETURNING id, run, lines, ${JOB_OF_EVENT}
  ),
  ${eventOfJob('started')}
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_VALUES}, 'bulk_job', 'started', jsonb_build_object('run', run, 'run_mode', run_mode, 'lines', lines)
  FROM changed`;
