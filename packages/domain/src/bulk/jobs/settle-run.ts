import { type BulkProblem, type BulkReport, LIMITS } from '@causeway/contracts';
import { isConnectionFailure, type RowOf } from '@causeway/db';
import { auditValues } from '../../shared/audit-values.ts';
import type { Context } from '../../shared/context.ts';
import { utcDatetime } from '../../shared/dates.ts';
import { type BulkDependencies, type BulkWork, type PauseReason, runContext } from '../chunks/bulk-work.ts';
import {
  COUNT_STAGED_SINCE,
  FINISH_BULK_JOB,
  GO_ON_WITH_BULK_JOB,
  HAS_CHUNKS_LEFT,
  PAUSE_BULK_JOB,
  RUN_FIGURES,
  RUN_RATES,
} from './bulk-job-states.sql.ts';
import { filesExpireAt, hasUpload } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';
import { listBulkProblems } from './read-problems.ts';

/**
 * Ends a run of which no chunk is left, if what happened to its lines adds up to them (behaviour 21.8); a rehearsal gets
 * its report. Any number of instances may try.
 *
 * @returns undefined if it has not ended; otherwise why its report is incomplete, if it is
 */
export async function settleRun(
  dependencies: BulkDependencies,
  work: BulkWork,
): Promise<{ failure?: unknown } | undefined> {
  const { id, run, run_mode, kind } = work;
  const { database } = dependencies;
  const [chunks] = await database.query(HAS_CHUNKS_LEFT, { id, run });
  if (chunks?.has_left !== false) return undefined;
  const [figures] = await database.query(RUN_FIGURES, { id, run, first: LIMITS.bulk_first_lines });
  if (figures === undefined || figures.outcomes !== figures.lines) return undefined;
  const isRehearsal = run_mode === 'REHEARSAL';
  const context = runContext(dependencies, work);
  const made = isRehearsal ? await reportOf(context, work) : undefined;
  const [ended] = await database.query(FINISH_BULK_JOB, {
    ...auditValues(context, id),
    run,
    state: isRehearsal && hasUpload(kind) ? 'REHEARSED' : 'FINISHED',
    outcomes: figures.outcomes,
    files_expire_at: filesExpireAt(context),
    report: made === undefined ? null : JSON.stringify(made.report),
    detail: JSON.stringify({ lines: figures.lines, refused: figures.refused, run_mode }),
  });
  return ended === undefined ? undefined : { failure: made?.failure };
}

/**
 * Pauses a run of which more lines were refused than its options allow (behaviour 21.10); a rehearsal continues, to list
 * all of them.
 */
export async function pauseIfTooManyRefused(dependencies: BulkDependencies, work: BulkWork): Promise<boolean> {
  const { id, run, run_mode, options } = work;
  if (run_mode === 'REHEARSAL') return false;
  const [figures] = await dependencies.database.query(RUN_FIGURES, { id, run, first: LIMITS.bulk_first_lines });
  if (figures === undefined || !areTooMany(figures, options)) return false;
  await pauseRun(dependencies, work, 'too_many_refused');
  return true;
}

/** A handful of refused lines is no sign of a wrong file, whatever their ratio. */
const HANDFUL = 10;

function areTooMany(
  { lines, refused, refused_of_first }: RowOf<typeof RUN_FIGURES>,
  { max_refused, max_refused_ratio }: BulkWork['options'],
): boolean {
  if (max_refused !== null && refused > max_refused) return true;
  if (max_refused_ratio === null || refused_of_first <= HANDFUL) return false;
  return refused_of_first > max_refused_ratio * Math.min(lines, LIMITS.bulk_first_lines);
}

const MAX_PROBLEMS = 100;

const NOT_ADDED_UP = 'The problems could not be added up: there are too many. The results have those of each line.';
const NOT_COVERED = [
  'Payment vendors were not asked: an instruction may be refused.',
  'Accounts that others stage, create or skip after the rehearsal may have another outcome.',
  'Durations were measured on the tables as they are now; those for a parallelism other than the rehearsal’s are estimates.',
];

/** The report of a rehearsal, and why its problems are missing if they are. */
export interface MadeReport {
  report: BulkReport;
  failure?: unknown;
}

/**
 * What a rehearsal has shown (behaviour 21.9), as far as its chunks know it. If its problems cannot be added up the
 * report says so: a client chooses how many there are, and the run ends anyway.
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

/** Pauses a job that cannot continue (behaviour 21.10); nothing happens unless it is running. */
export async function pauseRun(dependencies: BulkDependencies, work: BulkWork, reason: PauseReason): Promise<void> {
  const context = runContext(dependencies, work);
  await dependencies.database.query(PAUSE_BULK_JOB, {
    ...auditValues(context, work.id),
    files_expire_at: filesExpireAt(context),
    run: work.run,
    reason,
    detail: JSON.stringify({ reason }),
  });
}

/** Continues with a job that was paused because its import supplier was not ongoing, and is again (behaviour 21.10). */
export async function goOnWithRun(dependencies: BulkDependencies, work: BulkWork): Promise<void> {
  const audit = auditValues(runContext(dependencies, work), work.id);
  await dependencies.database.query(GO_ON_WITH_BULK_JOB, { ...audit, run: work.run, detail: '{}' });
}
