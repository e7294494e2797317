import { BulkJob, BulkJobErrorsResponse, type BulkProblem, FailedRow, ResultLine } from '@causeway/contracts';
import type { SampleAccount } from '@causeway/realistic-books';
import { codeOf, type RestClient } from '@causeway/rest-client';
import { bodyOf, linesOf, unexpected } from '../answers.ts';
import type { SupplierAccess } from '../import-account-data.ts';
import { bookParts } from './book-parts.ts';

/** What a book is moved with in one upload. */
export interface BulkContext extends SupplierAccess {
  client: Pick<RestClient, 'get' | 'post' | 'put'>;
  team: string;
  skipAccount(externalAccountNumber: string, reason: string): Promise<void>;
  /** Between two looks at the job. */
  wait(milliseconds: number): Promise<void>;
  stop: AbortSignal;
}

/** What was sent, for people. */
export interface Upload {
  parts: number;
  lines: number;
  bytes: number;
  packedBytes: number;
}

/** What is told while the book is moved. */
export interface BulkWatch {
  onUploaded(upload: Upload): void;
  onProgress(job: BulkJob): void;
}

/** A job that has ended, with what happened to its lines. */
export interface EndedJob {
  job: BulkJob;
  results: ResultLine[];
  problems: BulkProblem[];
  failedRows: FailedRow[];
}

const LOOK_AGAIN_MS = 500;

/**
 * Moves the book by one upload (behaviour 21): parts by PUT, a start, and looks at the job until every line has its
 * outcome. Undefined if it was stopped before: the job resumes where the service is. Throws an Error for an answer that
 * should not have been given, and if the job is paused.
 */
export async function moveInBulk(
  context: BulkContext,
  book: Iterable<SampleAccount>,
  { onUploaded, onProgress }: BulkWatch,
): Promise<EndedJob | undefined> {
  const { id } = await createJob(context);
  const path = `bulk-jobs/${id}/`;
  const staying: SampleAccount[] = [];
  const upload = await uploadParts(context, path, notingWhatStays(book, staying));
  if (upload === undefined) return undefined;
  onUploaded(upload);
  for (const account of staying) await skipAccount(context, account);
  const { parts, lines } = upload;
  bodyOf(await context.client.post(`${path}start/`, { run_mode: 'REAL', parts, lines }), 200, BulkJob);
  const job = await watchJob(context, path, onProgress);
  return job && { job, ...(await readResults(context, path)) };
}

/** The same accounts; it notes those that the service team wants to stay. */
function* notingWhatStays(book: Iterable<SampleAccount>, staying: SampleAccount[]): Generator<SampleAccount> {
  for (const account of book) {
    if (account.skipReason !== undefined) staying.push(account);
    yield account;
  }
}

/** An account can be skipped once it is staged: its line is refused then. */
async function skipAccount(context: BulkContext, account: SampleAccount): Promise<void> {
  const { payload, externalAccountNumber, skipReason = '' } = account;
  const staged = await context.client.post('account-import-process/create-or-update/', payload);
  const isNew = staged.status === 200 || staged.status === 201;
  if (isNew) await context.skipAccount(externalAccountNumber, skipReason);
  else if (codeOf(staged) !== 'account_import_process_skipped') throw unexpected(staged);
}

async function createJob({ client, importSupplier, team }: BulkContext): Promise<BulkJob> {
  const request = {
    import_supplier: importSupplier,
    kind: 'MOVE',
    label: 'The demo’s book',
    options: { operations_team_name: team, parallelism: 2 },
  };
  return bodyOf(await client.post('bulk-jobs/', request), 201, BulkJob);
}

async function uploadParts(
  { client, stop }: BulkContext,
  path: string,
  book: Iterable<SampleAccount>,
): Promise<Upload | undefined> {
  const upload: Upload = { parts: 0, lines: 0, bytes: 0, packedBytes: 0 };
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'zstd' };
  for (const { number, lines, bytes, packed } of bookParts(book)) {
    if (stop.aborted) return undefined;
    const answer = await client.put(`${path}parts/${number}/`, packed, headers);
    if (answer.status !== 201 && answer.status !== 200) throw unexpected(answer);
    upload.parts += 1;
    upload.lines += lines;
    upload.bytes += bytes;
    upload.packedBytes += packed.length;
  }
  return upload;
}

async function watchJob(
  { client, wait, stop }: BulkContext,
  path: string,
  onProgress: BulkWatch['onProgress'],
): Promise<BulkJob | undefined> {
  while (!stop.aborted) {
    const answer = await client.get(path);
    const job = bodyOf(answer, 200, BulkJob);
    onProgress(job);
    if (job.state === 'FINISHED') return job;
    if (job.state === 'PAUSED' || job.state === 'CANCELLED') {
      throw unexpected(answer, `the job is ${job.state}: ${job.state_reason}`);
    }
    await wait(LOOK_AGAIN_MS);
  }
  return undefined;
}

async function readResults({ client }: BulkContext, path: string): Promise<Omit<EndedJob, 'job'>> {
  return {
    results: linesOf(await client.get(`${path}results/`), ResultLine),
    problems: bodyOf(await client.get(`${path}errors/`), 200, BulkJobErrorsResponse),
    failedRows: linesOf(await client.get(`${path}failed-rows/`), FailedRow),
  };
}
