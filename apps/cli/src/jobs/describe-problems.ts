import { ERROR_CODES, FIELD_CODES, REMARKS } from '@causeway/contracts';
import { tableLines, visible, wrap } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';

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

/** The same with what the problem is, and a few of the accounts. */
export function problemLines(problems: readonly Described[], columns: number): string[] {
  const rows = problemRows(problems);
  return problems.flatMap((problem, index) => [
    `  ${rows[index]}`,
    ...wrap(visible(explainProblem(problem)), columns, '      '),
    ...samplesOf(problem, columns),
  ]);
}

function samplesOf({ sample_account_numbers: samples }: Described, columns: number): string[] {
  return samples.length > 0 ? wrap(`For example ${samples.map(visible).join(', ')}`, columns, '      ') : [];
}

/** Every code whose fault is not the form of a field, with what it means and what to do. */
const ROWS: Readonly<Record<string, { when: string; remedy: string }>> = { ...ERROR_CODES, ...REMARKS };

/**
 * What a problem is, for people. The description of the field says it where the field has a wrong form. Of an account that is
 * there already, say, it would explain how numbers are written: then it is the meaning of the code.
 */
export function explainProblem({ code, description }: { code: string; description: string | null }): string {
  const row = code in FIELD_CODES ? undefined : ROWS[code];
  return row === undefined ? (description ?? '') : `${row.when} ${row.remedy}`;
}
