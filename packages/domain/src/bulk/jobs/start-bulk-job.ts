import { type BulkJob, LIMITS, limitText, type StartBulkJobRequest } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { AUDITED, auditValues } from '../../shared/audit-values.ts';
import type { Context } from '../../shared/context.ts';
import { DomainError } from '../../shared/errors.ts';
import { eventOfJob, JOB_OF_EVENT } from '../../shared/events.sql.ts';
import { type Received, receivedOf } from '../parts/list-parts.ts';
import { LOCK_BULK_JOB } from './bulk-job.sql.ts';
import { findBulkJob, stateNotAllowed } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';

/**
 * Starts a job that is OPEN or REHEARSED: it is PLANNING, and takes no more parts (behaviour 21.3). A part that is
 * being stored is waited for. Refuses with `bulk_job_does_not_exist`, `bulk_job_state_not_allowed` and, if the upload
 * is not what was announced, `bulk_parts_missing`.
 */
export async function startBulkJob(context: Context, request: StartBulkJobRequest): Promise<BulkJob> {
  const { job_id, run_mode } = request;
  await context.database.transaction(async (transaction) => {
    const { id, kind, state } = await findBulkJob({ ...context, database: transaction }, job_id, LOCK_BULK_JOB);
    if (state !== 'OPEN' && state !== 'REHEARSED') throw stateNotAllowed(state, 'started');
    const received = await receivedOf(transaction, id);
    const missing = incompleteUpload(kind, received, request);
    if (missing !== undefined) throw missing;
    const lines = kind === 'PROCESS' ? null : received.lines;
    await transaction.query(START_BULK_JOB, { ...auditValues(context, id), run_mode, lines });
  });
  return getBulkJob(context, { job_id });
}

function incompleteUpload(kind: string, received: Received, announced: StartBulkJobRequest): DomainError | undefined {
  const { parts, lines, missing } = received;
  const refusal = (detail: string, attr: string) => new DomainError('bulk_parts_missing', detail, { attr });
  if (kind !== 'PROCESS' && parts === 0) return refusal('No part has been received.', 'parts');
  if (missing.length > 0) {
    const all = missing.length < LIMITS.bulk_missing_parts;
    return refusal(`Parts are missing: ${missing.join(', ')}${all ? '' : ' and perhaps others'}.`, 'parts');
  }
  if (announced.parts !== undefined && announced.parts !== parts) {
    return refusal(`${limitText(parts)} parts were received, not ${limitText(announced.parts)}.`, 'parts');
  }
  if (announced.lines !== undefined && announced.lines !== lines) {
    return refusal(`${limitText(lines)} lines were received, not ${limitText(announced.lines)}.`, 'lines');
  }
  return undefined;
}

/** Of a locked job. */
const START_BULK_JOB = sql('start-bulk-job')`
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
  INSERT INTO audit_events ${AUDITED} 'bulk_job', 'started',
    jsonb_build_object('run', run, 'run_mode', run_mode, 'lines', lines)
  FROM changed`;
