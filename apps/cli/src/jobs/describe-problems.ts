import { grouped } from '../terminal/grouped.ts';
import { tableLines } from '../terminal/table.ts';
import { wrap } from '../terminal/wrap.ts';

/** Of a job, or of an import supplier. */
interface Described {
  operation: string;
  refused: boolean;
  code: string;
  attr: string;
  description: string | null;
  accounts: number;
  sample_account_numbers: readonly string[];
}

/** One line each: `1,102  invalid_phone_number  customers.*.landline`. */
export function problemRows(problems: readonly Described[]): string[] {
  const rows = problems.map(({ accounts, code, attr, operation, refused }) => [
    grouped(accounts),
    code,
    attr === '' ? `(${operation})` : attr,
    refused ? '' : 'accepted',
  ]);
  return tableLines(rows, [0]);
}

/** The same with what the field is, and a few of the accounts. */
export function problemLines(problems: readonly Described[], columns: number): string[] {
  const rows = problemRows(problems);
  return problems.flatMap(({ description, sample_account_numbers: samples }, index) => [
    `  ${rows[index]}`,
    ...(description ? wrap(description, columns, '      ') : []),
    ...(samples.length > 0 ? wrap(`For example ${samples.join(', ')}`, columns, '      ') : []),
  ]);
}
