import { LIMITS } from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import { auditValues } from '../audit/audit-values.ts';
import { FINISH_BULK_JOB, HAS_CHUNKS_LEFT, RUN_FIGURES } from './bulk-job-states.sql.ts';
import { type BulkDependencies, type BulkWork, runContext } from './bulk-work.ts';
import { filesExpireAt } from './files-expire.ts';
import { pauseRun } from './pause-run.ts';
import { reportOf } from './rehearsal-report.ts';

/**
 * Ends a run of which no chunk is left, if what became of its lines adds up to them (behaviour 21.8); a rehearsal gets
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
    state: isRehearsal && kind !== 'PROCESS' ? 'REHEARSED' : 'FINISHED',
    outcomes: figures.outcomes,
    files_expire_at: filesExpireAt(context),
    report: made === undefined ? null : JSON.stringify(made.report),
    detail: JSON.stringify({ lines: figures.lines, refused: figures.refused, run_mode }),
  });
  return ended === undefined ? undefined : { failure: made?.failure };
}

/**
 * Pauses a run of which more lines were refused than its options allow (behaviour 21.10); a rehearsal goes on, to list
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
