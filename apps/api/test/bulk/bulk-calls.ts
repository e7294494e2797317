import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { BulkJob } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { assertDocumented } from '../support/assert-documented.ts';
import type { TestSupplier } from '../support/test-service.ts';

export interface FileAnswer {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  headers: Headers;
}

/** A call with a file, or for one. */
export async function fileCall(
  { url, token }: Pick<TestSupplier, 'url' | 'token'>,
  path: string,
  init: RequestInit = {},
): Promise<FileAnswer> {
  const response = await fetch(`${url}/v1/data-import/${path}`, {
    ...init,
    headers: { Authorization: `Token ${token}`, ...init.headers },
  });
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = isJson && text !== '' ? JSON.parse(text) : undefined;
  if (isJson) {
    assertDocumented({ method: init.method ?? 'GET', path: `/v1/data-import/${path}`, status, body, headers });
  }
  return { status, text, body, headers };
}

export const ndjson = (lines: readonly unknown[]): Buffer =>
  Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));

export const NDJSON_TYPE = { 'Content-Type': 'application/x-ndjson' };

/** Uploads a part. */
export function putPart(
  supplier: Pick<TestSupplier, 'url' | 'token'>,
  { id, number = 1, headers = {} }: { id: string; number?: number | string; headers?: Record<string, string> },
  bytes: Uint8Array,
): Promise<FileAnswer> {
  return fileCall(supplier, `bulk-jobs/${id}/parts/${number}/`, {
    method: 'PUT',
    headers: { ...NDJSON_TYPE, ...headers },
    body: bytes as NonNullable<RequestInit['body']>,
  });
}

/** Creates a job; its id. */
export async function createJob(supplier: TestSupplier, fields: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await supplier.post('bulk-jobs/', {
    import_supplier: supplier.code,
    kind: 'MOVE',
    options: { operations_team_name: supplier.teamName },
    ...fields,
  });
  if (status !== 201) throw new Error(`Creating a job answered ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

export async function readJob(supplier: TestSupplier, id: string): Promise<BulkJob> {
  return (await supplier.get(`bulk-jobs/${id}/`)).body;
}

/** A line with history for an account. */
export const line = (number: string) => ({ external_account_number: number, notes: [{ body: 'x' }] });

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');

export interface TestChunk {
  number?: number;
  first_line?: number;
  lines?: number;
  /** How many lines are done. */
  cursor?: number;
  counts?: object;
  sums?: object;
  clusters?: object[];
  results?: object[];
  failed_rows?: string[];
  finished_at?: string;
}

const frame = (lines: readonly unknown[] | undefined) => (lines ? zstdCompressSync(ndjson(lines)) : null);

/** Puts a chunk of the job's run into the database, as the runner leaves it. */
export async function addChunk(database: Database, jobId: string, chunk: TestChunk): Promise<void> {
  const { number = 1_000, first_line = 1, lines = 1, cursor = lines } = chunk;
  const done = cursor === lines;
  const finished_at = done ? (chunk.finished_at ?? new Date().toISOString()) : null;
  await database.pool.query(
    `INSERT INTO bulk_chunks (job_id, run, number, first_line, lines, cursor, done, started_at, finished_at, counts, sums,
       clusters, results, refused_lines)
     SELECT id, run, $2, $3, $4, $5, $6, started_at, $7, $8, $9, $10, $11, $12 FROM bulk_jobs WHERE id = $1`,
    [
      ...[jobId, number, first_line, lines, cursor, done, finished_at],
      ...[chunk.counts ?? {}, chunk.sums ?? {}, chunk.clusters ?? []].map((value) => JSON.stringify(value)),
      ...[frame(chunk.results), frame(chunk.failed_rows)],
    ],
  );
}

/** Sets what the runner sets of a job. */
export async function setState(database: Database, id: string, state: string, more = ''): Promise<void> {
  await database.pool.query(`UPDATE bulk_jobs SET state = '${state}' ${more} WHERE id = $1`, [id]);
}

/** A started job whose chunks the test puts into the database. */
export async function startedJob(
  supplier: TestSupplier,
  database: Database,
  { lines = [line('A-1')], run_mode = 'REAL' }: { lines?: unknown[]; run_mode?: string } = {},
): Promise<string> {
  const id = await createJob(supplier);
  await putPart(supplier, { id }, ndjson(lines));
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode });
  await setState(database, id, 'RUNNING');
  return id;
}
