import { setTimeout as delay } from 'node:timers/promises';
import { bookLine } from '../rig/move-books.ts';
import { type Answer, fieldOf, nameOf, type Request, send } from '../rig/send.ts';
import type { Supplier, World } from '../rig/start-world.ts';
import { waitUntil } from '../rig/wait.ts';

/** What one bulk job has to have done. */
export interface Upload {
  jobId: string;
  supplier: Supplier;
  /** How many lines have each outcome. */
  counts: Record<string, number>;
  /** Of the lines that had to be moved. */
  accounts: readonly string[];
}

/** A supplier's upload that should do no harm: resolves when its jobs have ended, with what has to be true of them. */
export type TriedUpload = (site: UploadSite, supplier: Supplier) => Promise<Upload[]>;

/** Where uploads are tried: the service, and what it should not have answered so far. */
export interface UploadSite {
  world: World;
  odd: unknown[];
}

const JOBS = '/v1/data-import/bulk-jobs/';
const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const PATIENCE_MS = 120_000;
const REPEAT_AFTER_MS = 50;

/** Good lines for so many accounts. */
export function goodLines(supplier: Supplier, prefix: string, lines = 120): { accounts: string[]; book: Buffer } {
  const accounts = Array.from({ length: lines }, (_, index) => `${prefix}-${index + 1}`);
  const texts = accounts.map((account) => `${JSON.stringify(bookLine(supplier, account))}\n`);
  return { accounts, book: Buffer.from(texts.join('')) };
}

/** Sends a request until it is neither unanswered nor 503. */
export async function ask(site: UploadSite, supplier: Supplier, request: Request): Promise<Answer> {
  for (;;) {
    const answer = await send(site.world.url(), { ...request, token: supplier.token });
    if (answer !== undefined && answer.status !== 503) return answer;
    await delay(REPEAT_AFTER_MS);
  }
}

/** The same, with the answers that it may have. */
export async function expectOf(
  site: UploadSite,
  supplier: Supplier,
  asked: Request & { expected: string },
): Promise<unknown> {
  const { expected, ...request } = asked;
  const answer = await ask(site, supplier, request);
  note(site, { path: request.path, found: nameOf(answer), expected, body: answer.body });
  return answer.body;
}

/** Notes what differs from what was expected. */
export function note({ odd }: UploadSite, noted: { found: unknown; expected: unknown; [fact: string]: unknown }): void {
  if (noted.found !== noted.expected) odd.push(noted);
}

/** Creates a job that moves what is uploaded; its id. */
export async function createJob(site: UploadSite, supplier: Supplier): Promise<string> {
  const options = { operations_team_name: supplier.teamName, parallelism: 2, max_refused_ratio: null };
  const body = { import_supplier: supplier.code, kind: 'MOVE', options };
  return String(fieldOf(await expectOf(site, supplier, { path: JOBS, body, expected: '201' }), 'id'));
}

/** The request that uploads a part, packed as its first bytes say. */
export function partRequest(jobId: string, number: number, body: Uint8Array): Request {
  return { method: 'PUT', path: `${JOBS}${jobId}/parts/${number}/`, headers: NDJSON, body };
}

/** The request that changes a job; a start is that of a real run. */
export function changeRequest(jobId: string, verb: 'start' | 'cancel'): Request {
  return { path: `${JOBS}${jobId}/${verb}/`, body: verb === 'start' ? { run_mode: 'REAL' } : {} };
}

/** A new job with this book as its only part, started. */
export async function startBook(site: UploadSite, supplier: Supplier, book: Uint8Array): Promise<string> {
  const jobId = await createJob(site, supplier);
  await expectOf(site, supplier, { ...partRequest(jobId, 1, book), expected: '201' });
  await expectOf(site, supplier, { ...changeRequest(jobId, 'start'), expected: '200' });
  return jobId;
}

/** The job as its supplier reads it. */
export async function readJob(site: UploadSite, supplier: Supplier, jobId: string): Promise<unknown> {
  return (await ask(site, supplier, { path: `${JOBS}${jobId}/` })).body;
}

/** Waits until a job is finished: what has to be true of it, by default that nothing but these accounts was created. */
export async function untilFinished(
  site: UploadSite,
  supplier: Supplier,
  { jobId, accounts, counts = { created: accounts.length } }: Pick<Upload, 'jobId' | 'accounts'> & Partial<Upload>,
): Promise<Upload[]> {
  const isFinished = async () => fieldOf(await readJob(site, supplier, jobId), 'state') === 'FINISHED';
  note(site, { jobId, found: await waitUntil(isFinished, PATIENCE_MS), expected: true });
  return [{ jobId, supplier, accounts, counts }];
}

/** What a job says of each of its lines. */
export async function readResults(site: UploadSite, { supplier, jobId }: Upload): Promise<{ outcome: string }[]> {
  const { status, body } = await ask(site, supplier, { path: `${JOBS}${jobId}/results/` });
  note(site, { found: status, expected: 200 });
  // One line alone is read as JSON.
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}
