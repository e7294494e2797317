import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from './causeway.ts';

/** A line of a book with an account and one transaction of 76.54. */
export function accountLine(supplier: string, number: string, customer: object = { family_name: 'Hartley' }): string {
  return JSON.stringify({
    account: {
      import_supplier: supplier,
      external_account_number: number,
      customers: [customer],
      last_billed_to_date: '2026-02-28',
      transfer_balance: '-76.54',
    },
    transactions: [
      {
        transaction_id: `T-${number}`,
        transaction_date: '2026-03-05',
        type: 'CHARGE',
        amount: '76.54',
        reason: 'IMPORTED_CHARGE',
      },
    ],
  });
}

/** A line of an account without a family name, which is refused. */
export const refusedLine = (supplier: string, number: string): string =>
  accountLine(supplier, number, { family_name: '' });

/** Files of these lines in a folder of their own. */
export async function bookFiles(files: Record<string, readonly string[]>): Promise<string> {
  const directory = await temporaryFolder();
  for (const [name, lines] of Object.entries(files)) {
    await writeFile(path.join(directory, name), lines.map((line) => `${line}\n`).join(''));
  }
  return directory;
}
