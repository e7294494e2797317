import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { type BulkJobResultsRequest, LIMITS, type ResultLine } from '@causeway/contracts';
import { mayOnlyRead } from '../../shared/actor.ts';
import type { Context } from '../../shared/context.ts';
import { pageSize } from '../../shared/list-page.ts';
import { withoutMadeUpNames } from '../../shared/refused-fields.ts';
import { findFileJob } from '../jobs/find-bulk-job.ts';
import { FIRST_LINE_OF_CHUNK, READ_BULK_RESULTS } from './read-files.sql.ts';

const unpack = promisify(zstdDecompress);

/**
 * One page of the results of a job's last run, in the order of the lines (behaviour 21.5): `limit` (default 1,000)
 * after the line `after`. Of a job that is running, those that are committed. Refuses with `bulk_job_does_not_exist`
 * and `bulk_files_expired`.
 */
export async function listBulkResults(
  context: Context,
  request: BulkJobResultsRequest,
): Promise<{ records: ResultLine[]; next?: { after: number; outcome?: string } }> {
  const { job_id, outcome, after = 0 } = request;
  const { id, run } = await findFileJob(context, job_id);
  const limit = pageSize(request);
  const records: ResultLine[] = [];
  for await (const line of resultsOf(context, { id, run, outcome: outcome ?? null, after })) {
    records.push(line);
    if (records.length > limit) break;
  }
  const page = records.slice(0, limit);
  const last = page.at(-1);
  return last === undefined || page.length === records.length
    ? { records: page }
    : { records: page, next: { after: last.line, ...(outcome !== undefined && { outcome }) } };
}

interface Wanted {
  id: string;
  run: number;
  outcome: string | null;
  after: number;
}

/** Reads a few chunks at a time, so that little is in memory however many there are. */
async function* resultsOf(context: Context, { id, run, outcome, after }: Wanted): AsyncGenerator<ResultLine> {
  const { database } = context;
  const isMasked = mayOnlyRead(context);
  const [chunk] = await database.query(FIRST_LINE_OF_CHUNK, { id, run, line: after + 1 });
  let first_line = chunk?.first_line ?? 0;
  for (;;) {
    const files = await database.query(READ_BULK_RESULTS, { id, run, outcome, first_line });
    for (const { file } of files) {
      const text = await unpack(file, { maxOutputLength: LIMITS.bulk_part_bytes });
      for (const json of text.toString().split('\n')) {
        const line: ResultLine | undefined = json === '' ? undefined : JSON.parse(json);
        if (line === undefined || line.line <= after || (outcome !== null && line.outcome !== outcome)) continue;
        yield isMasked ? withoutMadeUpNames(line) : line;
      }
    }
    const last = files.at(-1);
    if (last === undefined) return;
    first_line = last.first_line + 1;
  }
}
