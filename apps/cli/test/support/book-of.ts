import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A day within the open statement period. */
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

export const PENCE_A_LINE = 7_654 + 2_834;

/** A line of a book: an account whose history is beside it; its transactions add up to `PENCE_A_LINE`. */
export function lineOf(supplier: string, number: string, more: object = {}) {
  return {
    account: {
      import_supplier: supplier,
      external_account_number: number,
      account_type: 'DOMESTIC',
      unknown_occupier: true,
      transfer_balance: '-48.20',
    },
    ...historyOf(number),
    ...more,
  };
}

export function historyOf(number: string) {
  return {
    notes: [{ body: `Asked for a paper bill (${number}).`, created_at: '2025-11-20T10:15:00Z' }],
    transactions: [
      {
        transaction_id: `${number}-1`,
        transaction_date: YESTERDAY,
        type: 'CHARGE',
        amount: 76.54,
        reason: 'IMPORTED_CHARGE',
      },
      {
        transaction_id: `${number}-2`,
        transaction_date: YESTERDAY,
        type: 'PAYMENT',
        amount: '28.34',
        payment_type: 'DD_REGULAR_COLLECTION',
      },
    ],
    statements: [
      {
        bill_period_from_date: '2025-01-01',
        bill_period_to_date: '2025-01-31',
        statement_id: `${number}-ST`,
        issued_date: '2025-02-03',
        number: `${number}-12`,
        gross_amount: 112.07,
      },
    ],
  };
}

/** Writes lines as a book, and returns its name in the folder. */
export async function writeBook(folder: string, lines: readonly (object | string)[], name = 'book.ndjson') {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(path.join(folder, name), `${texts.join('\n')}\n`);
  return name;
}

/** The objects of an NDJSON file. */
// biome-ignore lint/suspicious/noExplicitAny: what they hold is what the test asks.
export async function readLines(folder: string, name: string): Promise<any[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
