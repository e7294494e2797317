import { setTimeout as delay } from 'node:timers/promises';
import { type FoundWork, findBulkWork, findReconciliationWork, type ReconciliationWork } from '@causeway/domain';
import type { RunnerOptions } from './runner-options.ts';
import { createTending, type Tending } from './tend-work.ts';

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
