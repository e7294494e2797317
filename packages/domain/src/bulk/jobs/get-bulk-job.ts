import type {
  BulkCounts,
  BulkEstimate,
  BulkJob,
  BulkJobRequest,
  BulkReport,
  BulkSums,
  ListBulkJobsRequest,
} from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import type { Context } from '../../shared/context.ts';
import { utcDatetime } from '../../shared/dates.ts';
import { listOfSupplier } from '../../shared/list-page.ts';
import { ZERO } from '../chunks/line-outcome.ts';
import { receivedOf } from '../parts/list-parts.ts';
import { ADD_UP_BULK_CHUNKS, COUNT_BULK_MINUTES } from './bulk-figures.sql.ts';
import { type BulkJobRow, LIST_BULK_JOBS } from './bulk-job.sql.ts';
import { bulkJobRecord, findBulkJob, readBulkJob, selectionOf } from './find-bulk-job.ts';
import { shownProblems } from './read-problems.ts';

/**
 * A bulk job with what its chunks add up to: only what is committed counts (behaviour 21.5). The counts add up to its
 * lines. Refuses with `bulk_job_does_not_exist`.
 */
export async function getBulkJob(context: Context, { job_id }: BulkJobRequest): Promise<BulkJob> {
  const job = await findBulkJob(context, job_id);
  const { id, run } = job;
  const received = await receivedOf(context.database, id);
  const [figures] = await context.database.query(ADD_UP_BULK_CHUNKS, { id, run });
  if (figures === undefined) throw new Error('An aggregate has answered nothing');
  const lines = job.lines ?? (job.kind === 'PROCESS' ? null : received.lines);
  const counts = countsOf(job, lines ?? 0, figures);
  return {
    ...bulkJobRecord(job),
    lines,
    options: job.options,
    selection: selectionOf(job),
    parts: received.parts,
    missing_parts: received.missing,
    counts,
    sums: sumsOf(figures),
    ...(await progressOf(context, job, { begunAt: figures.begun_at, waiting: counts.waiting })),
    report: job.report && reportOf(context, job.report),
    links: linksOf(id),
  };
}

/** One that version 0.1.0 has made has no outcome `undone`. */
function reportOf(context: Context, { counts, problems, ...report }: BulkReport): BulkReport {
  return { ...report, counts: { ...counts, undone: counts.undone ?? 0 }, problems: shownProblems(context, problems) };
}

type Figures = RowOf<typeof ADD_UP_BULK_CHUNKS>;

const NO_COUNTS = { created: 0, updated: 0, unchanged: 0, undone: 0, refused: 0, failed: 0 };
const NO_SUMS: BulkSums = {
  transfer_balance_credit: ZERO,
  transfer_balance_debit: ZERO,
  transactions: {},
  statements: { count: 0, gross: ZERO },
  notes: 0,
  customers: 0,
  supply_points: 0,
  account_types: {},
};

/** What was not done is waiting, or never will be. */
function countsOf({ state }: BulkJobRow, lines: number, { lines: done, counts }: Figures): BulkCounts {
  const left = Math.max(lines - done, 0);
  const isOver = state === 'CANCELLED';
  return { ...NO_COUNTS, ...counts, not_processed: isOver ? left : 0, waiting: isOver ? 0 : left };
}

function sumsOf({ sums }: Figures): BulkSums {
  return { ...NO_SUMS, ...sums, statements: { ...NO_SUMS.statements, ...sums.statements } };
}

async function progressOf(
  { database, clock }: Context,
  { id, run, state, resumed_at }: BulkJobRow,
  { begunAt, waiting }: { begunAt: Date | null; waiting: number },
): Promise<Pick<BulkJob, 'accounts_per_second' | 'estimate'>> {
  if (state !== 'RUNNING') return { accounts_per_second: null, estimate: null };
  const now = clock();
  const since = resumed_at ?? begunAt ?? now;
  const minutes = await database.query(COUNT_BULK_MINUTES, { id, run, now, since });
  const rate = presentRate({ now, since, minutes });
  const estimated = estimateFinish({ now, since, minutes, waiting });
  const estimate: BulkEstimate | null = estimated
    ? {
        finishes_at: utcDatetime(estimated.finishesAt),
        from: utcDatetime(estimated.from),
        to: utcDatetime(estimated.to),
      }
    : null;
  return { accounts_per_second: Math.round(rate * 10) / 10, estimate };
}

function linksOf(id: string): BulkJob['links'] {
  const self = `/v1/data-import/bulk-jobs/${id}/`;
  return {
    self,
    errors: `${self}errors/`,
    results: `${self}results/`,
    failed_rows: `${self}failed-rows/`,
    unprocessed_rows: `${self}unprocessed-rows/`,
  };
}

/** How many lines were done in one minute; 0 is the one that ends now. Minutes in which nothing was done are left out. */
export interface MinuteOfWork {
  minutes_ago: number;
  lines: number;
}

export interface WorkSoFar {
  now: Date;
  /** When the work began, or continued after a pause. */
  since: Date;
  minutes: MinuteOfWork[];
  /** Lines that are still to be done. */
  waiting: number;
}

export interface EstimatedFinish {
  finishesAt: Date;
  from: Date;
  to: Date;
}

const MINUTE_S = 60;
/** Earlier, a rate says nothing. */
const MIN_ELAPSED_S = 20;
/** In a longer time a rate counts half. */
const HALF_LIFE_MINUTES = 2;

/** The lines a second of the last minute, or of as much of it as has been worked in (behaviour 21.5). */
export function presentRate({ now, since, minutes }: Omit<WorkSoFar, 'waiting'>): number {
  const elapsedS = elapsedOf({ now, since });
  const done = minutes.find(({ minutes_ago }) => minutes_ago === 0)?.lines ?? 0;
  return elapsedS < 1 ? 0 : done / Math.min(elapsedS, MINUTE_S);
}

/**
 * When work finishes at its present rate, smoothed with a half-life of two minutes, and at the 90th and 10th percentile
 * of the rates of its minutes (behaviour 21.5). Undefined in the first 20 seconds, and while nothing is done.
 */
export function estimateFinish({ now, since, minutes, waiting }: WorkSoFar): EstimatedFinish | undefined {
  const elapsedS = elapsedOf({ now, since });
  if (elapsedS < MIN_ELAPSED_S) return undefined;
  const rates = minutes.flatMap(({ minutes_ago, lines }) => {
    const seconds = Math.min(MINUTE_S, elapsedS - minutes_ago * MINUTE_S);
    return seconds < MIN_ELAPSED_S ? [] : [{ rate: lines / seconds, weight: 2 ** (-minutes_ago / HALF_LIFE_MINUTES) }];
  });
  const weights = sum(rates.map(({ weight }) => weight));
  const rate = sum(rates.map(({ rate, weight }) => rate * weight)) / weights;
  if (!(rate > 0)) return undefined;
  const sorted = rates.map(({ rate }) => rate).sort((one, other) => one - other);
  const [slow, fast] = [Math.min(percentile(sorted, 0.1), rate), Math.max(percentile(sorted, 0.9), rate)];
  const at = (perSecond: number) => new Date(now.getTime() + (waiting / perSecond) * 1_000);
  return { finishesAt: at(rate), from: at(fast), to: at(slow) };
}

function elapsedOf({ now, since }: { now: Date; since: Date }): number {
  return (now.getTime() - since.getTime()) / 1_000;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Between the two nearest values, as PostgreSQL's percentile_cont. */
function percentile(sorted: number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

/** One page of an import supplier's jobs, oldest first (behaviour 21.5), as `listOfSupplier` tells. */
export function listBulkJobs(context: Context, request: ListBulkJobsRequest) {
  return listOfSupplier(context, request, {
    statement: LIST_BULK_JOBS,
    record: bulkJobRecord,
    read: readBulkJob,
    name: 'jobs',
  });
}
