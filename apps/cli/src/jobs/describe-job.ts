import { type BulkCounts, type BulkJob, type BulkProblem, type BulkSums, LineOutcome } from '@causeway/contracts';
import { tableLines } from '../terminal/lines.ts';
import { bar, duration, grouped, percent } from '../terminal/numbers.ts';
import { problemRows } from './describe-problems.ts';

const BAR_COLUMNS = 24;
const SHOWN_PROBLEMS = 4;

/** `HARBOUR-VALE  MOVE "book.ndjson"  RUNNING`. */
export function headline({ import_supplier: supplier, kind, label, state, state_reason, run_mode }: BulkJob): string {
  const name = label === null ? '' : ` "${label}"`;
  const mode = run_mode === 'REHEARSAL' && state !== 'REHEARSED' ? '  rehearsal' : '';
  const reason = state_reason === null ? '' : ` (${state_reason})`;
  return `${supplier}  ${kind}${name}${mode}  ${state}${reason}`;
}

/** The lines that are done, and what they are of. */
export function doneOf({ counts, lines }: Pick<BulkJob, 'counts' | 'lines'>): { done: number; all: number } {
  const all = lines ?? 0;
  return { done: Math.max(all - counts.waiting - counts.not_processed, 0), all };
}

/** One line for a log: `31.0 %  373,342 of 1,204,331  412 a second  left 33 min (30 to 38 min)`. */
export function progressLine(job: BulkJob, now: Date): string {
  const { done, all } = doneOf(job);
  const words = [
    percent(done, all),
    `${grouped(done)} of ${grouped(all)}`,
    ...someCounts(job.counts, ['refused', 'failed']),
    ...pace(job, now),
  ];
  return `${job.state.toLowerCase()}  ${words.join('  ')}`;
}

/** The live block of a job. */
export function progressBlock(job: BulkJob, problems: readonly BulkProblem[], now: Date): string[] {
  const { done, all } = doneOf(job);
  const begun = job.state === 'PLANNING' || all === 0 ? 0 : done / all;
  return [
    headline(job),
    `  ${bar(begun, BAR_COLUMNS)}  ${percent(begun, 1)}  ${grouped(done)} of ${grouped(all)}`,
    `  ${[...someCounts(job.counts), ...pace(job, now)].join('   ')}`,
    ...problemRows(problems.slice(0, SHOWN_PROBLEMS)).map((row) => `  ${row}`),
  ];
}

const OUTCOMES = LineOutcome.options;

/** Those that are not zero: `created 616,402`. */
function someCounts(counts: BulkCounts, outcomes: readonly (keyof BulkCounts)[] = OUTCOMES): string[] {
  return outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${outcome.replace('_', ' ')} ${grouped(counts[outcome])}`);
}

function pace({ accounts_per_second: rate, estimate }: BulkJob, now: Date): string[] {
  const left = (at: string) => Math.max((Date.parse(at) - now.getTime()) / 1_000, 0);
  return [
    ...(rate ? [`${grouped(Math.round(rate))} a second`] : []),
    ...(estimate === null
      ? []
      : [
          `left ${duration(left(estimate.finishes_at))} (${duration(left(estimate.from))} to ${duration(left(estimate.to))})`,
        ]),
  ];
}

/** A table of the outcomes, without those that no line has. */
export function countLines(counts: BulkCounts): string[] {
  const rows = [...OUTCOMES, 'waiting' as const]
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => [outcome.replace('_', ' '), grouped(counts[outcome])]);
  return tableLines(rows, [1]).map((row) => `  ${row}`);
}

/** What the created accounts add up to: how many, and the money. */
export function sumLines(sums: BulkSums): string[] {
  const rows = [
    ['transfer balances, credit', '', grouped(sums.transfer_balance_credit)],
    ['transfer balances, debit', '', grouped(sums.transfer_balance_debit)],
    ...Object.entries(sums.transactions).map(([type, { count, amount }]) => [
      `transactions, ${type}`,
      grouped(count),
      grouped(amount),
    ]),
    ['statements', grouped(sums.statements.count), grouped(sums.statements.gross)],
    ['notes', grouped(sums.notes), ''],
    ['customers', grouped(sums.customers), ''],
    ['supply points', grouped(sums.supply_points), ''],
  ];
  return tableLines(rows, [1, 2]).map((row) => `  ${row}`);
}
