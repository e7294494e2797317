import { setTimeout as delay } from 'node:timers/promises';
import {
  type FoundWork,
  findBulkWork,
  findReconciliationWork,
  foldChunks,
  goOnWithRun,
  pauseIfTooManyRefused,
  pauseRun,
  planBulkJob,
  type ReconciliationWork,
  settleRun,
} from '@causeway/domain';
import type { RunnerOptions } from './runner-options.ts';

/** Looking whether too many lines were refused reads all chunks of a job: it takes at most this part of the time. */
const CHECKED_AT_MOST = 1 / 20;

/** What is done for a job beside its chunks. */
interface Tending {
  /** Whether the job has changed. */
  tend(work: FoundWork): Promise<boolean>;
  /** Ends the job if nothing of it is left. */
  settle(work: FoundWork): Promise<boolean>;
  /** Pauses the job if too many of its lines were refused: some have been. */
  checkRefused(work: FoundWork): Promise<boolean>;
}

function createTending({ dependencies, report }: RunnerOptions): Tending {
  /** When the jobs of which lines were refused may be looked at again. */
  const checked = new Map<string, number>();

  async function plan(work: FoundWork): Promise<boolean> {
    const lines = await planBulkJob(dependencies, work);
    if (lines !== undefined) report.log('info', 'bulk_job_planned', { job_id: work.id, lines });
    return lines !== undefined;
  }

  async function goOn(work: FoundWork): Promise<boolean> {
    await goOnWithRun(dependencies, work);
    report.log('info', 'bulk_job_resumed', { job_id: work.id });
    return true;
  }

  async function settle(work: FoundWork): Promise<boolean> {
    const ended = await settleRun(dependencies, work);
    if (ended === undefined) return false;
    const { id: job_id, run_mode } = work;
    if (ended.failure !== undefined) report.log('error', 'bulk_report_incomplete', { job_id, error: ended.failure });
    report.log('info', 'bulk_job_ended', { job_id, run_mode });
    return true;
  }

  /** Not while what it took the last time would be a large part of the work. */
  async function checkRefused(work: FoundWork): Promise<boolean> {
    const begunAt = performance.now();
    if (begunAt < (checked.get(work.id) ?? 0)) return false;
    // Not twice at the same time.
    checked.set(work.id, Number.POSITIVE_INFINITY);
    const isPaused = await pauseIfTooManyRefused(dependencies, work);
    const now = performance.now();
    checked.set(work.id, isPaused ? 0 : now + (now - begunAt) / CHECKED_AT_MOST);
    if (isPaused) report.log('warn', 'bulk_job_paused', { job_id: work.id, reason: 'too_many_refused' });
    return isPaused;
  }

  return {
    async tend(work) {
      if (work.next === 'plan') return plan(work);
      if (work.next === 'go_on') return goOn(work);
      if (work.next === 'revoke') return pauseRevoked({ dependencies, report }, work);
      const hasEnded = await settle(work);
      if (hasEnded) checked.delete(work.id);
      else await foldChunks(dependencies.database, work);
      return hasEnded || (checked.has(work.id) && checkRefused(work));
    },
    settle,
    checkRefused,
  };
}

async function pauseRevoked(
  { dependencies, report }: Pick<RunnerOptions, 'dependencies' | 'report'>,
  work: FoundWork,
): Promise<boolean> {
  const reason = 'api_key_revoked';
  await pauseRun(dependencies, work, reason);
  report.log('warn', 'bulk_job_paused', { job_id: work.id, reason });
  return true;
}

/** What lanes do, part by part. */
export type RunnableWork = FoundWork | ReconciliationWork;

const LOOKED_FOR_EVERY_MS = 1_000;

/** The jobs and reconciliations on which lanes may work. */
export interface WorkList extends Pick<Tending, 'settle' | 'checkRefused'> {
  /** As they were a second ago at most. */
  readonly runnable: readonly RunnableWork[];
  /** Resolves when they were looked for again, in a second or so. */
  changed(): Promise<void>;
  wake(): void;
  /** Resolves once it has stopped. */
  readonly ended: Promise<void>;
}

/** Looks for work every second, and when it is woken, and tends the jobs: they are planned, gone on with, paused and ended. */
export function createWorkList(options: RunnerOptions, signal: AbortSignal): WorkList {
  const { report } = options;
  const tending = createTending(options);
  let runnable: readonly RunnableWork[] = [];
  let looked = Promise.withResolvers<void>();
  let woken = Promise.withResolvers<void>();
  let hasFailed = false;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      woken = Promise.withResolvers();
      try {
        runnable = await look(options, tending, signal);
        hasFailed = false;
      } catch (error) {
        runnable = [];
        if (!hasFailed) report.log('warn', 'bulk_jobs_not_found', { error });
        hasFailed = true;
      }
      const before = looked;
      looked = Promise.withResolvers();
      before.resolve();
      await Promise.race([woken.promise, delay(LOOKED_FOR_EVERY_MS)]);
    }
    looked.resolve();
  }

  const ended = run();
  return {
    get runnable() {
      return runnable;
    },
    settle: tending.settle,
    checkRefused: tending.checkRefused,
    changed: () => looked.promise,
    wake: () => woken.resolve(),
    ended,
  };
}

/** What has changed may be worked on at once. */
async function look(options: RunnerOptions, tending: Tending, signal: AbortSignal): Promise<readonly RunnableWork[]> {
  const { database } = options.dependencies;
  for (;;) {
    let hasChanged = false;
    const found = await findBulkWork(database);
    for (const work of found) hasChanged = (await tend(options, tending, work)) || hasChanged;
    if (hasChanged && !signal.aborted) continue;
    return [...found.filter(({ next }) => next === 'run'), ...(await findReconciliationWork(database))];
  }
}

/** One job that cannot be tended does not keep others waiting. */
async function tend({ report }: RunnerOptions, tending: Tending, work: FoundWork): Promise<boolean> {
  try {
    return await tending.tend(work);
  } catch (error) {
    report.log('warn', 'bulk_job_not_tended', { job_id: work.id, next: work.next, error });
    return false;
  }
}
