import type { FailedRow } from '@causeway/contracts';
import type { Screen } from '../screen.ts';
import { asSterling } from '../sterling.ts';
import type { BulkTally } from './bulk-tally.ts';

const INDENT = '  ';
const MAX_PROBLEMS = 5;
const MAX_FAILED_ROWS = 3;
const MAX_UNEXPECTED = 10;

/** The figures of an upload, for people: outcomes, sums, problems, failed rows, and whether it all adds up. */
export function bulkSummaryLines(tally: BulkTally, screen: Screen): string[] {
  return [
    '',
    ...outcomeLines(tally, screen),
    '',
    ...figureLines(tally, screen),
    '',
    ...problemLines(tally, screen),
    ...failedRowLines(tally, screen),
    '',
    ...verdictLines(tally, screen),
  ].map((line) => (line === '' ? '' : `${INDENT}${line}`));
}

function outcomeLines({ job }: BulkTally, screen: Screen): string[] {
  const { created, unchanged, refused, failed } = job.counts;
  const cells = [job.lines ?? 0, refused, failed, unchanged, created];
  return [
    screen.paint('bold', row('', ['in the book', 'refused', 'failed', 'unchanged', 'created'])),
    row('Accounts', cells.map(counted)),
  ];
}

function figureLines({ figures }: BulkTally, screen: Screen): string[] {
  const lines = figures.map(({ label, sent, stored, isMoney }) => {
    const text = isMoney ? asSterling : counted;
    return row(label, ['', text(sent), text(stored), sent === stored ? '=' : 'NOT THE SAME']);
  });
  return [screen.paint('bold', row('Of those created', ['', 'sent', 'stored', ''])), ...lines];
}

function row(label: string, cells: readonly string[]): string {
  return `${label.padEnd(22)}${cells.map((cell) => cell.padStart(15)).join('')}`.trimEnd();
}

const counted = (count: number) => count.toLocaleString('en-GB');

function problemLines({ problems, job }: BulkTally, screen: Screen): string[] {
  if (problems.length === 0) return [];
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ accounts, sample_account_numbers: samples, operation, code, attr }) => {
      const which = `${String(accounts).padStart(3)} like ${samples[0] ?? ''}`;
      return `${which}  ${operation.padEnd(21)}${code}${attr === '' ? '' : `, ${attr}`}`;
    });
  const kinds = `${problems.length} kind${problems.length === 1 ? '' : 's'} of problem`;
  const head = screen.paint('bold', `Why lines were refused, ${kinds}:`);
  return [head, `GET ${job.links.errors}`, ...lines];
}

function failedRowLines({ failedRows, job }: BulkTally, screen: Screen): string[] {
  if (failedRows.length === 0) return [];
  const lines = failedRows.slice(0, MAX_FAILED_ROWS).map(failedRowLine);
  const head = screen.paint('bold', 'Their lines, to be corrected and uploaded again:');
  return [head, `GET ${job.links.failed_rows}`, ...lines];
}

function failedRowLine({ line, code, errors }: FailedRow): string {
  const [first] = errors;
  const blamed = first === undefined ? '' : `: ${first.attr}${first.code === code ? '' : ` ${first.code}`}`;
  return `line ${line}  ${code}${blamed}`;
}

function verdictLines({ unexpected }: BulkTally, screen: Screen): string[] {
  if (unexpected.length === 0) {
    return [screen.paint('green', '✓ It adds up: every line has its outcome, every penny of those created is there.')];
  }
  const more = unexpected.length - MAX_UNEXPECTED;
  return [
    'This should not have happened:',
    ...unexpected.slice(0, MAX_UNEXPECTED).map((problem) => `✗ ${problem}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].map((line) => screen.paint('red', line));
}
