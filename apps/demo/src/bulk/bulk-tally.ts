import type { BulkCluster, BulkJob, FailedRow, ResultLine } from '@causeway/contracts';
import type { SampleAccount } from '../book/sample-book.ts';
import { penceOf, sumOf } from '../money.ts';
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
  problems: readonly BulkCluster[];
  failedRows: readonly FailedRow[];
  /** The first accounts that there are now. */
  created: SampleAccount[];
  unexpected: string[];
}

const TYPES = ['SUPPLY_CHARGE', 'CHARGE', 'PAYMENT', 'REPAYMENT', 'CREDIT'] as const;
const MAX_UNEXPECTED = 100;
const MAX_CREATED = 10;

/** Compares what became of each line with the book, and what the created ones add up to with the job's own sums. */
export function bulkTallyOf(
  book: Iterable<SampleAccount>,
  { job, results, problems, failedRows }: EndedJob,
): BulkTally {
  const outcomes = new Map(results.map((result) => [result.external_account_number, result]));
  const sent = new Sums();
  const created: SampleAccount[] = [];
  const unexpected: string[] = [];
  let lines = 0;
  for (const account of book) {
    lines += 1;
    const result = outcomes.get(account.externalAccountNumber);
    const problem = problemOf(account, result);
    if (problem !== undefined && unexpected.length < MAX_UNEXPECTED) unexpected.push(problem);
    if (result?.outcome === 'created') sent.add(account);
    if (result !== undefined && isThere(result) && created.length < MAX_CREATED) created.push(account);
  }
  const figures = sent.figures(job);
  unexpected.push(...problemsOfCounts(lines, job, failedRows), ...figures.flatMap(problemOfFigure));
  return { job, figures, problems, failedRows, created, unexpected };
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

/** What the book's created lines add up to, in whole numbers. */
class Sums {
  readonly #amounts = new Map<string, number>();
  #notes = 0;
  #transactions = 0;
  #statements = 0;
  #gross = 0;
  #balance = 0;

  add({ notes, transactions, statements, transferBalance }: SampleAccount): void {
    for (const { type, amount } of transactions) {
      this.#amounts.set(type, (this.#amounts.get(type) ?? 0) + penceOf(String(amount)));
    }
    for (const { gross_amount } of statements) this.#gross += penceOf(String(gross_amount));
    this.#notes += notes.length;
    this.#transactions += transactions.length;
    this.#statements += statements.length;
    this.#balance += penceOf(transferBalance);
  }

  figures({ sums }: BulkJob): BulkFigure[] {
    const counts = Object.values(sums.transactions).map(({ count }) => count);
    const balance = penceOf(sums.transfer_balance_credit) + penceOf(sums.transfer_balance_debit);
    const count = (label: string, sent: number, stored: number) => ({ label, sent, stored, isMoney: false });
    const money = (label: string, sent: number, stored: number) => ({ label, sent, stored, isMoney: true });
    return [
      count('Notes', this.#notes, sums.notes),
      count('Transactions', this.#transactions, sumOf(counts)),
      count('Statements', this.#statements, sums.statements.count),
      ...TYPES.map((type) =>
        money(type, this.#amounts.get(type) ?? 0, penceOf(sums.transactions[type]?.amount ?? '0')),
      ),
      money('Historical statements', this.#gross, penceOf(sums.statements.gross)),
      money('Balances carried over', this.#balance, balance),
    ];
  }
}

/** Why an outcome should not have been; undefined for one that is as the book expects. */
function problemOf(account: SampleAccount, result: ResultLine | undefined): string | undefined {
  const { externalAccountNumber } = account;
  if (result === undefined) return `${externalAccountNumber} has no outcome`;
  const expected = expectedCode(account);
  const code = codeOf(result);
  if (expected === undefined ? isThere(result) : code === expected) return undefined;
  const found = [result.outcome, ...(code === undefined ? [] : [code])].join(' ');
  return `${externalAccountNumber}: ${found}, expected was ${expected ?? 'an account'}`;
}

/** An earlier run may have moved it by calls. */
function isThere({ outcome, code }: ResultLine): boolean {
  return outcome === 'created' || outcome === 'unchanged' || code === 'account_import_process_already_imported';
}

/** A whole account is refused with its instruction, and one job has one team. */
function expectedCode({ expectedRefusal, expectedInstructionRefusal }: SampleAccount): string | undefined {
  const ofAccount = expectedRefusal === 'operations_team_name_does_not_exist' ? undefined : expectedRefusal;
  const isRejected = expectedInstructionRefusal === 'payment_vendor_rejected';
  return ofAccount ?? (isRejected ? expectedInstructionRefusal : undefined);
}

function codeOf({ code, errors }: ResultLine): string | undefined {
  return code?.endsWith('_failed_validation') ? (errors?.[0]?.code ?? code) : code;
}
