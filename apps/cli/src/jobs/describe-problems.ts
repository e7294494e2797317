import { tableLines, visible, wrap } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';
import { explainProblem } from './explain-problem.ts';

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
