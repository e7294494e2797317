import { setTimeout as delay } from 'node:timers/promises';
import { type ChunkResult, type FoundWork, runChunk, takeTurn } from '@causeway/domain';
import { PACE } from './pace.ts';
import { reconcile } from './reconcile.ts';
import type { RunnerOptions } from './runner-options.ts';
import { createWorkList, type RunnableWork, type WorkList } from './work-list.ts';

const CALLERS_FIRST_MS = 50;
const SOON_MIN_MS = 100;
const SOON_MAX_MS = 500;
const AFTER_FAILURE_MS = 500;
/**
 * How long a lane rests beside callers, in times of what it took. A chunk mostly waits for its commit; a range keeps a
 * core of the database busy all the time.
 */
const REST = { CHUNK: 1, RANGE: 3 };

interface LaneOptions extends RunnerOptions {
  /** Among the lanes, from 0. */
  place: number;
}

/** Does one chunk or range after the other, of any job or reconciliation, until it is told to stop; never rejects. */
async function runLane(options: LaneOptions, list: WorkList, signal: AbortSignal): Promise<void> {
  const { place, pace = () => PACE.FULL, report } = options;
  let hasFailed = false;
  while (!signal.aborted) {
    try {
      const begunAt = performance.now();
      const now = pace();
      if (now === PACE.NONE || (now === PACE.GENTLE && place > 0)) await delay(CALLERS_FIRST_MS);
      else {
        const rest = await workOnce(options, list);
        if (rest === undefined) await untilThereMayBeWork(list);
        else if (pace() !== PACE.FULL) await delay(rest * (performance.now() - begunAt));
      }
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) report.log('warn', 'bulk_lane_failed', { error });
      hasFailed = true;
      await delay(AFTER_FAILURE_MS);
    }
  }
}

/**
 * A chunk of one of the jobs, or a range, taken by lot: that is fair without anything that all lanes would have to
 * write. How long to rest after it beside callers; undefined if none was to be had.
 */
async function workOnce(options: RunnerOptions, list: WorkList): Promise<number | undefined> {
  for (const work of byLot(list.runnable)) {
    if (!('run_mode' in work)) {
      if (await reconcile(options, work)) return REST.RANGE;
    } else if ((await workOn(options, list, work)) === 'written') return REST.CHUNK;
  }
  return undefined;
}

async function workOn(
  { dependencies, report }: RunnerOptions,
  list: WorkList,
  work: FoundWork,
): Promise<ChunkResult['result']> {
  if (!(await takeTurn(dependencies.database, work, dependencies.clock()))) return 'no_slots';
  const begunAt = performance.now();
  const done = await runChunk(dependencies, work);
  report.countChunk(done.result, (performance.now() - begunAt) / 1_000);
  tell(report, work, done);
  if (done.result === 'written') {
    report.countLines(done.counts, work.run_mode);
  }
  if (done.result !== 'written' && done.result !== 'nothing') return done.result;
  const hasEnded = await list.settle(work);
  const hasRefused = done.result === 'written' && (done.counts.refused ?? 0) > 0;
  if (hasRefused && !hasEnded) await list.checkRefused(work);
  return done.result;
}

/** What an operator may have to look at. */
function tell(report: RunnerOptions['report'], { id: job_id }: FoundWork, done: ChunkResult): void {
  if (done.result === 'paused') {
    report.log('warn', 'bulk_job_paused', { job_id, reason: done.reason, error: done.cause });
  }
  if (done.result === 'put_off') report.log('warn', 'bulk_chunk_put_off', { job_id, error: done.cause });
  if (done.result === 'written' && done.failure !== undefined) {
    report.log('error', 'bulk_line_failed', { job_id, error: done.failure });
  }
}

/**
 * A job that is running may have a chunk again at any time: slots are free, its rate allows it, or the lane that held
 * the chunk was killed.
 */
async function untilThereMayBeWork(list: WorkList): Promise<void> {
  if (list.runnable.length === 0) await list.changed();
  else await delay(SOON_MIN_MS + Math.random() * (SOON_MAX_MS - SOON_MIN_MS));
}

/** Each import supplier has the same chance to be first, however much there is to do for it. */
function byLot(work: readonly RunnableWork[]): RunnableWork[] {
  const suppliers = Map.groupBy(shuffled(work), ({ import_supplier_code }) => import_supplier_code);
  return shuffled([...suppliers.values()]).flat();
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** The lanes of an instance. */
export interface Runner {
  /** Looks for work now: a job was started. */
  wake(): void;
  /** Resolves when every lane has ended its chunk and nothing is begun any more. */
  stop(): Promise<void>;
}

/**
 * Works on the bulk jobs of all import suppliers (behaviour 21.8), together with the runners of other instances.
 * Nothing is kept in memory: anyone who kills it loses only the chunks in progress, which others then do.
 */
export function startRunner(options: RunnerOptions): Runner {
  if (options.lanes === 0) return { wake: () => undefined, stop: async () => undefined };
  const stopping = new AbortController();
  const list = createWorkList(options, stopping.signal);
  const lanes = Array.from({ length: options.lanes }, (_, place) =>
    runLane({ ...options, place }, list, stopping.signal),
  );
  return {
    wake: list.wake,
    async stop() {
      stopping.abort();
      list.wake();
      await Promise.all([...lanes, list.ended]);
    },
  };
}
