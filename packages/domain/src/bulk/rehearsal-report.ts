import type { BulkReport } from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { COUNT_STAGED_SINCE, RUN_RATES } from './bulk-job-states.sql.ts';
import type { BulkWork } from './bulk-work.ts';
import { getBulkJob } from './get-bulk-job.ts';
import { listBulkProblems } from './read-problems.ts';

const MAX_PROBLEMS = 100;

const NOT_COVERED = [
  'Payment vendors were not asked: an instruction may be refused.',
  'Accounts that others stage, create or skip after the rehearsal may have another outcome.',
  'Durations were measured on the tables as they are now; for another parallelism than that of the rehearsal they are computed.',
];

/** What a rehearsal has shown (behaviour 21.9), as far as its chunks know it. */
export async function reportOf(context: Context, work: BulkWork): Promise<BulkReport> {
  const { id, run, import_supplier_code } = work;
  const { counts, sums, started_at } = await getBulkJob(context, { job_id: id });
  const problems = await listBulkProblems(context, { job_id: id });
  const [rates] = await context.database.query(RUN_RATES, { id, run });
  const since = { import_supplier_code, since: started_at };
  const [changed] = await context.database.query(COUNT_STAGED_SINCE, since);
  return {
    finished_at: utcDatetime(context.clock()),
    counts,
    sums,
    problems: problems.slice(0, MAX_PROBLEMS),
    durations: rates === undefined ? [] : [1, 2, 4].map((parallelism) => durationAt(parallelism, rates, work)),
    accounts_changed_since: changed?.accounts ?? 0,
    not_covered: NOT_COVERED,
  };
}

/** The run's own duration where the parallelism is its own; otherwise that of its lanes, each as fast as then. */
function durationAt(
  parallelism: number,
  { lines, seconds, rate, slow_rate, fast_rate }: RowOf<typeof RUN_RATES>,
  { options }: BulkWork,
): BulkReport['durations'][number] {
  const at = (linesPerSecond: number | null) =>
    linesPerSecond === null || linesPerSecond === 0 ? 0 : Math.ceil(lines / linesPerSecond / parallelism);
  const isMeasured = parallelism === options.parallelism;
  return { parallelism, seconds: isMeasured ? Math.ceil(seconds) : at(rate), from: at(fast_rate), to: at(slow_rate) };
}
