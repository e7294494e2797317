import { sql } from '@causeway/db';

/** Bodies that have a line of the account, or one of which nobody knows whose it is, of jobs that have not come to it. */
export const FIND_BODIES_OF_ACCOUNT = sql('find-bulk-bodies-of-account', { job_id: 'uuid', number: 'integer' })`
  SELECT body.job_id, body.number
  FROM bulk_jobs AS job
  JOIN bulk_bodies AS body ON body.job_id = job.id
  WHERE job.import_supplier_code = ${'import_supplier_code'}
    AND (body.account_ids @> ARRAY[${'id'}::uuid] OR array_position(body.account_ids, NULL) IS NOT NULL)`;

/** Waits for the lanes that work on a body. */
export const LOCK_CHUNKS_OF_BODY = sql('lock-bulk-chunks-of-body')`
  SELECT
  FROM bulk_chunks
  WHERE job_id = ${'job_id'} AND number = ${'number'} AND NOT done
  FOR UPDATE`;

/** No row if its lines were done meanwhile. */
export const READ_BODY = sql('read-bulk-body', { body: 'bytea' })`
  SELECT body
  FROM bulk_bodies
  WHERE job_id = ${'job_id'} AND number = ${'number'}
  FOR UPDATE`;

export const REPLACE_BODY = sql('replace-bulk-body')`
  UPDATE bulk_bodies
  SET body = ${'body'}
  WHERE job_id = ${'job_id'} AND number = ${'number'}`;

/** Failed rows of the import supplier's jobs, those after the last one found. */
export const FIND_FAILED_ROWS = sql('find-failed-rows', {
  job_id: 'uuid',
  run: 'integer',
  number: 'integer',
  rows: 'bytea',
})`
  SELECT chunk.job_id, chunk.run, chunk.number, coalesce(chunk.refused_lines, '') AS rows
  FROM bulk_jobs AS job
  JOIN bulk_chunks AS chunk ON chunk.job_id = job.id
  WHERE job.import_supplier_code = ${'import_supplier_code'}
    AND job.files_removed_at IS NULL
    AND chunk.refused_lines IS NOT NULL
    AND (chunk.job_id, chunk.run, chunk.number) > (${'last_job_id'}::uuid, ${'last_run'}::integer, ${'last_number'}::integer)
  ORDER BY chunk.job_id, chunk.run, chunk.number
  LIMIT 20`;

/** No row if they were changed meanwhile. */
export const REPLACE_FAILED_ROWS = sql('replace-failed-rows', { number: 'integer' })`
  UPDATE bulk_chunks
  SET refused_lines = ${'kept'}::bytea
  WHERE job_id = ${'job_id'} AND run = ${'run'} AND number = ${'number'} AND refused_lines = ${'rows'}
  RETURNING number`;
