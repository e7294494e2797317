import type { BulkPart } from '@causeway/contracts';
import { type Queryable, sql } from '@causeway/db';
import type { Context } from '../../shared/context.ts';
import { utcDatetime } from '../../shared/dates.ts';
import { accountImportId } from '../../shared/derived-id.ts';
import { DomainError } from '../../shared/errors.ts';
import type { BulkJobRow } from '../jobs/bulk-job.sql.ts';
import { findBulkJob } from '../jobs/find-bulk-job.ts';

/** Some lines of a part, stored and moved together. */
export interface PartBody {
  /** Without blank ones. */
  lines: number;
  /** With blank ones. */
  span: number;
  /** The account number that each line names, if any. */
  accountNumbers: (string | null)[];
  /** The lines as they were sent, zstd. */
  body: Uint8Array;
}

/** A part, unpacked and cut. */
export interface CutPart {
  /** Of the bytes as they were sent. */
  bytes: number;
  sha256: Uint8Array;
  /** At least one. */
  bodies: PartBody[];
}

export interface PutPartRequest {
  job_id: string;
  number: number;
}

/** A part's bodies are numbered from here. */
const BODIES_OF_PART = 1_000;

/**
 * Stores a part of a job that is OPEN, all of it or nothing (behaviour 21.4); once this is answered, it is durable. The
 * same bytes again change nothing. `cut` is called for a job that takes parts. Refuses with `bulk_job_does_not_exist`,
 * `bulk_job_state_not_allowed`, `bulk_part_differs`, `bulk_storage_full`, and as `cut` does.
 */
export async function putBulkPart(
  context: Context,
  { job_id, number }: PutPartRequest,
  cut: () => Promise<CutPart>,
): Promise<{ part: BulkPart; isNew: boolean }> {
  const job = await findBulkJob(context, job_id);
  refuseParts(job);
  const part = await cut();
  return context.database.transaction(async (transaction) => {
    const [locked] = await transaction.query(LOCK_OPEN_JOB, { id: job.id });
    if (locked !== undefined) refuseParts(locked);
    const lines = part.bodies.reduce((sum, body) => sum + body.lines, 0);
    const at = context.clock();
    const { bytes, sha256: sha } = part;
    const added = await transaction.query(ADD_BULK_PART, { id: job.id, number, bytes, lines, sha, at });
    if (added.length === 0) return { part: await samePart(transaction, { id: job.id, number, sha }), isNew: false };
    await refuseBeyondStorage(context, transaction, job.import_supplier_code);
    await addBodies(transaction, job, { number, part });
    return { part: { number, bytes, lines, received_at: utcDatetime(at) }, isNew: true };
  });
}

function refuseParts({ state, kind }: { state: string; kind: string }): void {
  if (state === 'OPEN' && kind !== 'PROCESS') return;
  const detail =
    kind === 'PROCESS' ? 'A PROCESS job takes no parts.' : `A bulk job that is ${state} takes no more parts.`;
  throw new DomainError('bulk_job_state_not_allowed', detail, { attr: 'job_id' });
}

async function samePart(
  transaction: Queryable,
  { id, number, sha }: { id: string; number: number; sha: Uint8Array },
): Promise<BulkPart> {
  const [stored] = await transaction.query(READ_BULK_PART, { id, number });
  if (stored === undefined || !stored.sha256.equals(sha)) {
    const detail = `Part ${number} was received before with other bytes.`;
    throw new DomainError('bulk_part_differs', detail, { attr: 'number' });
  }
  const { bytes, lines, received_at } = stored;
  return { number, bytes, lines, received_at: utcDatetime(received_at) };
}

/** An import supplier may store more while it stores less than this many times what is free. */
const FREE_TIMES = 4n;

/** As of now: parts that are being stored meanwhile may go beyond it, each by its own size. */
async function refuseBeyondStorage({ bulk }: Context, transaction: Queryable, code: string): Promise<void> {
  const [stored = { total: 0n, own: 0n }] = await transaction.query(COUNT_STORED_BYTES, { code });
  const free = BigInt(bulk.maxStoredBytes) - BigInt(stored.total);
  if (free > 0n && BigInt(stored.own) < FREE_TIMES * free) return;
  const detail =
    free > 0n
      ? 'This import supplier has reached its storage limit for uploads and results: cancel jobs, or try again later.'
      : 'The service has reached its storage limit for uploads: try again later.';
  throw new DomainError('bulk_storage_full', detail);
}

async function addBodies(
  transaction: Queryable,
  { id, import_supplier_code: code }: BulkJobRow,
  { number, part }: { number: number; part: CutPart },
): Promise<void> {
  for (const [index, { lines, span, accountNumbers, body }] of part.bodies.entries()) {
    await transaction.query(ADD_BULK_BODY, {
      id,
      number: number * BODIES_OF_PART + index,
      lines,
      span,
      account_ids: accountNumbers.map((named) => (named === null ? null : accountImportId(code, named))),
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    });
  }
}

/** Parts are stored beside each other, and a start waits for them. */
const LOCK_OPEN_JOB = sql('lock-open-bulk-job', { state: 'text', kind: 'text' })`
  SELECT state::text AS state, kind::text AS kind
  FROM bulk_jobs
  WHERE id = ${'id'}
  FOR SHARE`;

/** The lines, results and failed rows of bulk jobs, compressed: of all of them, and of one import supplier's. */
const COUNT_STORED_BYTES = sql('count-stored-bulk-bytes', { total: 'bigint', own: 'bigint' })`
  WITH stored AS (
    SELECT import_supplier_code, (
        SELECT coalesce(sum(octet_length(body)), 0)
        FROM bulk_bodies
        WHERE job_id = job.id
      ) + (
        SELECT coalesce(sum(stored_bytes), 0)
        FROM bulk_folds
        WHERE job_id = job.id
      ) + (
        SELECT coalesce(sum(coalesce(octet_length(results), 0) + coalesce(octet_length(refused_lines), 0)), 0)
        FROM bulk_chunks
        WHERE job_id = job.id AND run = job.run AND cursor > 0 AND NOT folded
      ) AS bytes
    FROM bulk_jobs AS job
    WHERE files_removed_at IS NULL
  )
  SELECT
    coalesce(sum(bytes), 0)::bigint AS total,
    coalesce(sum(bytes) FILTER (WHERE import_supplier_code = ${'code'}), 0)::bigint AS own
  FROM stored`;

/** No row if the part is there; waits for one that is being stored. */
const ADD_BULK_PART = sql('add-bulk-part', { number: 'integer' })`
  INSERT INTO bulk_parts (job_id, number, bytes, lines, sha256, received_at)
  VALUES (${'id'}, ${'number'}, ${'bytes'}, ${'lines'}, ${'sha'}, ${'at'})
  ON CONFLICT DO NOTHING
  RETURNING number`;

const READ_BULK_PART = sql('read-bulk-part', {
  bytes: 'integer',
  lines: 'integer',
  sha256: 'bytea',
  received_at: 'timestamptz',
})`
  SELECT bytes, lines, sha256, received_at
  FROM bulk_parts
  WHERE job_id = ${'id'} AND number = ${'number'}`;

const ADD_BULK_BODY = sql('add-bulk-body')`
  INSERT INTO bulk_bodies (job_id, number, lines, span, account_ids, body)
  VALUES (${'id'}, ${'number'}, ${'lines'}, ${'span'}, ${'account_ids'}::uuid[], ${'body'})`;
