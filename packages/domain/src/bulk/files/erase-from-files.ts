import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { accountNumberOf, linesOfBody } from '@causeway/book';
import { type Database, type Queryable, type RowOf, sql } from '@causeway/db';
import type { AccountKey } from '../../shared/derived-id.ts';

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

const LINE_FEED = Buffer.from('\n');
const BEFORE_ALL = { job_id: '00000000-0000-0000-0000-000000000000', run: 0, number: 0 };

type FailedRows = RowOf<typeof FIND_FAILED_ROWS>;

/**
 * Erases what bulk jobs hold of an account that was erased (behaviour 21.5.9): of a line that waits, everything but the
 * account number, so that it is refused when it is its turn; and its failed rows. Lines in progress are waited for.
 */
export async function eraseFromBulkFiles(database: Database, key: AccountKey): Promise<void> {
  for (const body of await database.query(FIND_BODIES_OF_ACCOUNT, key)) {
    await database.transaction((transaction) => eraseFromBody(transaction, body, key));
  }
  let last = BEFORE_ALL;
  for (;;) {
    const found: FailedRows[] = await database.query(FIND_FAILED_ROWS, {
      import_supplier_code: key.import_supplier_code,
      last_job_id: last.job_id,
      last_run: last.run,
      last_number: last.number,
    });
    for (const rows of found) {
      // Changed meanwhile: it is read again.
      if (!(await eraseFailedRows(database, rows, key))) break;
      last = rows;
    }
    if (found.length === 0) return;
  }
}

async function eraseFromBody(
  transaction: Queryable,
  at: { job_id: string; number: number },
  { external_account_number }: AccountKey,
): Promise<void> {
  await transaction.query(LOCK_CHUNKS_OF_BODY, at);
  const [stored] = await transaction.query(READ_BODY, at);
  if (stored === undefined) return;
  const left = Buffer.from(JSON.stringify({ external_account_number }));
  const parts: Buffer[] = [];
  let next = 1;
  let isErased = false;
  for (const { number, bytes } of linesOfBody(await unpack(stored.body), 1)) {
    // Blank lines keep the numbers of those behind them.
    for (; next < number; next += 1) parts.push(LINE_FEED);
    const isNamed = names(bytes, external_account_number);
    isErased ||= isNamed;
    parts.push(isNamed ? left : bytes, LINE_FEED);
    next += 1;
  }
  if (isErased) await transaction.query(REPLACE_BODY, { ...at, body: await pack(Buffer.concat(parts)) });
}

/** Whether they are as they should be now; false if they were changed meanwhile. */
async function eraseFailedRows(
  database: Queryable,
  { rows, ...at }: FailedRows,
  { external_account_number }: AccountKey,
): Promise<boolean> {
  const lines = linesOfBody(await unpack(rows), 1).map(({ bytes }) => bytes);
  const kept = lines.filter((bytes) => !names(bytes, external_account_number));
  if (kept.length === lines.length) return true;
  const file = kept.length === 0 ? null : await pack(Buffer.concat(kept.flatMap((bytes) => [bytes, LINE_FEED])));
  const replaced = await database.query(REPLACE_FAILED_ROWS, { ...at, rows, kept: file });
  return replaced.length > 0;
}

const BACKSLASH = 0x5c;

/** Only what may name the account is read as JSON. What cannot be read may be of whomever it mentions. */
function names(line: Buffer, accountNumber: string): boolean {
  const mentions = line.includes(accountNumber);
  if (!mentions && !line.includes(BACKSLASH)) return false;
  const named = accountNumberOf(line, line.length);
  if (named !== undefined) return named === accountNumber;
  return mentions && [`"${accountNumber}"`, `\\"${accountNumber}\\"`].some((quoted) => line.includes(quoted));
}

/** Bodies that have a line of the account, or one of which nobody knows whose it is, of jobs that have not come to it. */
const FIND_BODIES_OF_ACCOUNT = sql('find-bulk-bodies-of-account', { job_id: 'uuid', number: 'integer' })`
  SELECT body.job_id, body.number
  FROM bulk_jobs AS job
  JOIN bulk_bodies AS body ON body.job_id = job.id
  WHERE job.import_supplier_code = ${'import_supplier_code'}
    AND (body.account_ids @> ARRAY[${'id'}::uuid] OR array_position(body.account_ids, NULL) IS NOT NULL)`;

/** Waits for the lanes that work on a body. */
const LOCK_CHUNKS_OF_BODY = sql('lock-bulk-chunks-of-body')`
  SELECT
  FROM bulk_chunks
  WHERE job_id = ${'job_id'} AND number = ${'number'} AND NOT done
  FOR UPDATE`;

/** No row if its lines were done meanwhile. */
const READ_BODY = sql('read-bulk-body', { body: 'bytea' })`
  SELECT body
  FROM bulk_bodies
  WHERE job_id = ${'job_id'} AND number = ${'number'}
  FOR UPDATE`;

const REPLACE_BODY = sql('replace-bulk-body')`
  UPDATE bulk_bodies
  SET body = ${'body'}
  WHERE job_id = ${'job_id'} AND number = ${'number'}`;

/** Failed rows of the import supplier's jobs, those after the last one found. */
const FIND_FAILED_ROWS = sql('find-failed-rows', {
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
const REPLACE_FAILED_ROWS = sql('replace-failed-rows', { number: 'integer' })`
  UPDATE bulk_chunks
  SET refused_lines = ${'kept'}::bytea
  WHERE job_id = ${'job_id'} AND run = ${'run'} AND number = ${'number'} AND refused_lines = ${'rows'}
  RETURNING number`;
