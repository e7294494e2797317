import type { BulkProblem, BulkReport } from '@causeway/contracts';
import { isConnectionFailure, type RowOf } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { COUNT_STAGED_SINCE, RUN_RATES } from './bulk-job-states.sql.ts';
import type { BulkWork } from './bulk-work.ts';
import { getBulkJob } from './get-bulk-job.ts';
import { listBulkProblems } from './read-problems.ts';

const MAX_PROBLEMS = 100;

const NOT_ADDED_UP = 'The problems could not be added up: there are too many. The results have those of each line.';
const NOT_COVERED = [
  'Payment vendors were not asked: an instruction may be refused.',
  'Accounts that others stage, create or skip after the rehearsal may have another outcome.',
  'Durations were measured on the tables as they are now; for another parallelism than that of the rehearsal they are computed.',
];

/** The report of a rehearsal, and why its problems are missing if they are. */
export interface MadeReport {
  report: BulkReport;
  failure?: unknown;
}

/**
 * What a rehearsal has shown (behaviour 21.9), as far as its chunks know it. If its problems cannot be added up the
 * report says so: a client chooses how many there are, and the run ends all the same.
 */
export async function reportOf(context: Context, work: BulkWork): Promise<MadeReport> {
  const { id, run, import_supplier_code } = work;
  const { counts, sums, started_at } = await getBulkJob(context, { job_id: id });
  const { problems, failure } = await problemsOf(context, id);
  const [rates] = await context.database.query(RUN_RATES, { id, run });
  const since = { import_supplier_code, since: started_at };
  const [changed] = await context.database.query(COUNT_STAGED_SINCE, since);
  const report = {
    finished_at: utcDatetime(context.clock()),
    counts,
    sums,
    problems: problems.slice(0, MAX_PROBLEMS),
    durations: rates === undefined ? [] : [1, 2, 4].map((parallelism) => durationAt(parallelism, rates, work)),
    accounts_changed_since: changed?.accounts ?? 0,
    not_covered: failure === undefined ? NOT_COVERED : [NOT_ADDED_UP, ...NOT_COVERED],
  };
  return { report, failure };
}

async function problemsOf(context: Context, job_id: string): Promise<{ problems: BulkProblem[]; failure?: unknown }> {
  try {
    return { problems: await listBulkProblems(context, { job_id }) };
  } catch (failure) {
    if (isConnectionFailure(failure)) throw failure;
    return { problems: [], failure };
  }
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
