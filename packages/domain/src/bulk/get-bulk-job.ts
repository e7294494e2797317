import type { BulkCounts, BulkEstimate, BulkJob, BulkJobRequest, BulkSums } from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { ADD_UP_BULK_CHUNKS, COUNT_BULK_MINUTES } from './bulk-figures.sql.ts';
import type { BulkJobRow } from './bulk-job.sql.ts';
import { estimateFinish, presentRate } from './estimate-finish.ts';
import { bulkJobRecord, findBulkJob, selectionOf } from './find-bulk-job.ts';
import { receivedOf } from './list-parts.ts';
import { shownProblems } from './read-problems.ts';
import { ZERO } from './sums.ts';

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
    report: job.report && { ...job.report, problems: shownProblems(context, job.report.problems) },
    links: linksOf(id),
  };
}

type Figures = RowOf<typeof ADD_UP_BULK_CHUNKS>;

const NO_COUNTS = { created: 0, updated: 0, unchanged: 0, refused: 0, failed: 0 };
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
