import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { ReconciliationDifference } from '@causeway/contracts';
import { parse } from 'csv-parse';
import { openBook } from '../book-files/open-book.ts';
import { unreadable } from '../book-files/unreadable.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';

type Digested = Pick<ReconciliationDifference, 'external_account_number' | 'kind' | 'field' | 'expected' | 'actual'>;

/** The digest of a list of differences, NDJSON or CSV, as a report has it (behaviour 23.5.4). */
export async function digestOfDifferences(context: Context, file: string): Promise<string> {
  const digest = createHash('sha256');
  const differences = file.endsWith('.csv') ? rowsOfCsv(context, file) : linesOf(context, file);
  for await (const { external_account_number, kind, field, expected, actual } of differences) {
    digest.update(`${JSON.stringify([external_account_number, kind, field, expected, actual])}\n`);
  }
  return digest.digest('hex');
}

async function* linesOf(context: Context, file: string): AsyncGenerator<Digested> {
  for await (const { lines } of (await openBook([file], context)).batches()) {
    for (const { number, bytes } of lines) {
      try {
        yield JSON.parse(bytes.toString());
      } catch (error) {
        throw new Failure('usage', `${file}, line ${number} is no JSON.`, { cause: error });
      }
    }
  }
}

/** An empty cell is what was null. */
async function* rowsOfCsv({ directory }: Context, file: string): AsyncGenerator<Digested> {
  const rows = createReadStream(path.resolve(directory, file)).compose(parse({ columns: true, bom: true }));
  try {
    for await (const row of rows as AsyncIterable<Record<keyof Digested, string>>) {
      yield { ...row, expected: row.expected || null, actual: row.actual || null } as Digested;
    }
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
}
