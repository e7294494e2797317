import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { accountNumberOf, linesOfBody } from '@causeway/book';
import type { Database, Queryable, RowOf } from '@causeway/db';
import type { AccountKey } from '../account-key.ts';
import {
  FIND_BODIES_OF_ACCOUNT,
  FIND_FAILED_ROWS,
  LOCK_CHUNKS_OF_BODY,
  READ_BODY,
  REPLACE_BODY,
  REPLACE_FAILED_ROWS,
} from './erase-from-files.sql.ts';

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
