import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { bareLine, linesOfBody } from '@causeway/book';
import { LIMITS } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { refuseReadOnly } from '../../shared/actor.ts';
import { AUDITED, auditValues } from '../../shared/audit-values.ts';
import type { Context } from '../../shared/context.ts';
import type { BulkJobRow } from '../jobs/bulk-job.sql.ts';
import { findFileJob } from '../jobs/find-bulk-job.ts';
import { READ_FAILED_ROWS, READ_UNPROCESSED_ACCOUNTS, READ_UNPROCESSED_BODIES } from './read-files.sql.ts';

const unpackZstd = promisify(zstdDecompress);
const unpack = (file: Uint8Array) => unpackZstd(file, { maxOutputLength: LIMITS.bulk_part_bytes });

const LINE_FEED = Buffer.from('\n');

export interface FailedRowsRequest {
  job_id: string;
  /** `plain`: the lines alone, as they were sent. */
  form?: 'plain' | undefined;
}

/**
 * The failed rows of a job's last run, in the order of the lines, in a few pieces at a time (behaviour 21.5). Refuses
 * with `bulk_job_does_not_exist` and `bulk_files_expired` before the first piece.
 */
export async function readFailedRows(
  context: Context,
  { job_id, form }: FailedRowsRequest,
): Promise<AsyncGenerator<Uint8Array>> {
  const { id, run } = await findRows(context, job_id, 'failed_rows');
  return rowsOf();

  async function* rowsOf() {
    for (let first_line = 0; ; ) {
      const files = await context.database.query(READ_FAILED_ROWS, { id, run, first_line });
      for (const { file } of files) {
        const rows = await unpack(file);
        yield form === 'plain' ? joined(linesOf(rows).map(bareLine)) : rows;
      }
      const last = files.at(-1);
      if (last === undefined) return;
      first_line = last.first_line + 1;
    }
  }
}

/**
 * The lines of a job that are not done in its last run, as they were sent, in the order of the lines; of a PROCESS job
 * the account numbers (behaviour 21.5). Refuses as `readFailedRows`.
 */
export async function readUnprocessedRows(
  context: Context,
  { job_id }: { job_id: string },
): Promise<AsyncGenerator<Uint8Array>> {
  const { id, run, kind } = await findRows(context, job_id, 'unprocessed_rows');
  return kind === 'PROCESS' ? accountsOf(context, { id, run }) : bodiesOf(context, { id, run });
}

/** A view of rows by the service team is recorded before: they may have personal data. A key that may only read is refused. */
async function findRows(context: Context, jobId: string, file: string): Promise<BulkJobRow> {
  const job = await findFileJob(context, jobId);
  if (context.actor.kind === 'staff') {
    refuseReadOnly(context);
    await context.database.query(RECORD_ROWS_VIEW, { ...auditValues(context, job.id), file });
  }
  return job;
}

interface Run {
  id: string;
  run: number;
}

async function* bodiesOf({ database }: Context, { id, run }: Run): AsyncGenerator<Uint8Array> {
  for (let after = 0; ; ) {
    const bodies = await database.query(READ_UNPROCESSED_BODIES, { id, run, after });
    for (const { body, done } of bodies) {
      const lines = linesOfBody(await unpack(body), 1).slice(done);
      yield joined(lines.map(({ bytes }) => bytes));
    }
    const last = bodies.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

async function* accountsOf({ database }: Context, { id, run }: Run): AsyncGenerator<Uint8Array> {
  for (let after = -1; ; ) {
    const chunks = await database.query(READ_UNPROCESSED_ACCOUNTS, { id, run, after });
    const numbers = chunks.flatMap(({ external_account_numbers }) => external_account_numbers);
    yield joined(numbers.map((external_account_number) => Buffer.from(JSON.stringify({ external_account_number }))));
    const last = chunks.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

function linesOf(rows: Buffer): Buffer[] {
  return linesOfBody(rows, 1).map(({ bytes }) => bytes);
}

function joined(lines: readonly Uint8Array[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, LINE_FEED]));
}

const RECORD_ROWS_VIEW = sql('record-bulk-rows-view')`
  INSERT INTO audit_events ${AUDITED} 'bulk_job', 'rows_viewed', jsonb_build_object('file', ${'file'}::text)`;
