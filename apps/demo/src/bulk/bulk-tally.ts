import type { BulkJob, BulkProblem, FailedRow, ResultLine } from '@causeway/contracts';
import { penceOf, sumOf } from '@causeway/realistic-books';
import type { ExpectedLine } from './expected-line.ts';
import type { EndedJob } from './move-in-bulk.ts';

/** A figure of the lines that were created: what the book has, and what the job has added up. */
export interface BulkFigure {
  label: string;
  sent: number;
  stored: number;
  /** In pence, or a count. */
  isMoney: boolean;
}

/** The whole upload in figures; `unexpected` is empty if every outcome was expected and everything adds up. */
export interface BulkTally {
  job: BulkJob;
  figures: BulkFigure[];
  problems: readonly BulkProblem[];
  failedRows: readonly FailedRow[];
  /** The first accounts that there are now. */
  created: ExpectedLine[];
  unexpected: string[];
}

const TYPES = ['SUPPLY_CHARGE', 'CHARGE', 'PAYMENT', 'REPAYMENT', 'CREDIT'] as const;
const MAX_CREATED = 10;

/** Compares what happened to each line with the book, and what the created ones add up to with the job's own sums. */
export function bulkTallyOf(book: readonly ExpectedLine[], ended: EndedJob): BulkTally {
  const { job, results, problems, failedRows } = ended;
  const outcomes = new Map(results.map((result) => [result.external_account_number, result]));
  const resultOf = ({ externalAccountNumber }: ExpectedLine) => outcomes.get(externalAccountNumber);
  const figures = figuresOf(
    book.filter((line) => resultOf(line)?.outcome === 'created'),
    job,
  );
  const unexpected = [
    ...book.flatMap((line) => problemOf(line, resultOf(line)) ?? []),
    ...problemsOfCounts(book.length, job, failedRows),
    ...figures.flatMap(problemOfFigure),
  ];
  const there = book.filter((line) => isThere(resultOf(line)));
  return { job, figures, problems, failedRows, created: there.slice(0, MAX_CREATED), unexpected };
}

function problemsOfCounts(lines: number, { counts }: BulkJob, failedRows: readonly FailedRow[]): string[] {
  const { waiting, ...done } = counts;
  const ended = sumOf(Object.values(done));
  const bad = counts.refused + counts.failed;
  return [
    ...(ended === lines && waiting === 0 ? [] : [`${lines} lines were sent, and ${ended} have an outcome`]),
    ...(failedRows.length === bad ? [] : [`${bad} lines were refused, and ${failedRows.length} came back`]),
  ];
}

function problemOfFigure({ label, sent, stored }: BulkFigure): string[] {
  return sent === stored ? [] : [`${label}: ${sent} sent, and ${stored} stored`];
}

function figuresOf(created: readonly ExpectedLine[], { sums }: BulkJob): BulkFigure[] {
  const sent = (figureOf: (line: ExpectedLine) => number) => sumOf(created.map(figureOf));
  const transactions = sumOf(Object.values(sums.transactions).map(({ count }) => count));
  const balance = penceOf(sums.transfer_balance_credit) + penceOf(sums.transfer_balance_debit);
  const count = { isMoney: false };
  const money = { isMoney: true };
  return [
    { label: 'Notes', sent: sent(({ notes }) => notes), stored: sums.notes, ...count },
    { label: 'Transactions', sent: sent((line) => line.transactions), stored: transactions, ...count },
    { label: 'Statements', sent: sent(({ statements }) => statements), stored: sums.statements.count, ...count },
    ...TYPES.map((type) => ({
      label: type,
      sent: sent(({ byType }) => byType.get(type) ?? 0),
      stored: penceOf(sums.transactions[type]?.amount ?? '0'),
      ...money,
    })),
    {
      label: 'Historical statements',
      sent: sent(({ gross }) => gross),
      stored: penceOf(sums.statements.gross),
      ...money,
    },
    { label: 'Balances carried over', sent: sent((line) => line.balance), stored: balance, ...money },
  ];
}

/** Why an outcome should not have been; undefined for one that is as the book expects. */
function problemOf({ externalAccountNumber, refusal }: ExpectedLine, result?: ResultLine): string | undefined {
  if (result === undefined) return `${externalAccountNumber} has no outcome`;
  const code = codeOf(result);
  if (refusal === undefined ? isThere(result) : code === refusal) return undefined;
  const found = [result.outcome, ...(code === undefined ? [] : [code])].join(' ');
  return `${externalAccountNumber}: ${found}, expected was ${refusal ?? 'an account'}`;
}

function isThere(result: ResultLine | undefined): boolean {
  return result?.outcome === 'created' || result?.outcome === 'unchanged';
}

function codeOf({ code, errors }: ResultLine): string | undefined {
  return code?.endsWith('_failed_validation') ? (errors?.[0]?.code ?? code) : code;
}
