import type { Database } from '@causeway/db';
import * as domain from '@causeway/domain';
import type { Start } from './start.ts';

/** Work that every instance does again and again. What fails is tried again the next time: nothing waits for it. */
interface Work {
  /** By their names in metrics and traces; one after the other. */
  runs: Record<string, () => Promise<unknown>>;
  pauseMs: number;
  /** After a failure the pause is at least so many times as long as the work took: it may have run out of time. */
  backsOff?: number;
  /** So many failures in a row are a warning of this name; fewer have no effect that lasts. */
  warning?: { event: string; failures: number };
}

/** Some hundreds of accounts: too few to be noticed by the calls. */
const COMPARING_MS = 200;

/** Begins what is done in the background, and ends it before the service stops. */
export function workInBackground(start: Start, database: Database): void {
  for (const work of works(start, database)) start.closing.push(repeat(start, work));
}

const works = ({ environment, clock, logger }: Start, database: Database): Work[] => [
  {
    // Until then anyone who reads the problems adds up more and more, and what was refused while its account was being
    // created, skipped or erased stays open.
    runs: { keep_problems: () => domain.keepProblems(database, clock()) },
    pauseMs: 5_000,
    warning: { event: 'problems_not_kept', failures: 12 },
  },
  {
    // Beside everything else: it has a 25th of the time of one connection, however much there is to compare.
    runs: { compare_meter_points: () => domain.compareMeterPoints(database, clock, COMPARING_MS) },
    pauseMs: 5_000,
    backsOff: 20,
    warning: { event: 'meter_points_not_compared', failures: 12 },
  },
  {
    // Whether samples are due: they are every ten seconds, by one of all instances (behaviour 14.9).
    runs: { sample_progress: () => domain.takeProgressSamples(database, clock()) },
    pauseMs: 2_500,
    backsOff: 20,
  },
  {
    runs: {
      purge_answers: () => domain.purgeExpiredAnswers(database, clock()),
      purge_refusals: () => domain.purgeResolvedRefusals(database, clock()),
      remove_bulk_files: () => domain.removeBulkFiles(database, clock()),
      remove_manifest_lines: () => domain.removeManifestLines(database),
      remove_old_events: () => domain.removeOldEvents(database, clock(), environment.eventDays),
      remove_webhook_deliveries: () => domain.removeWebhookDeliveries(database, clock()),
      thin_progress_samples: () => domain.thinProgressSamples(database, clock()),
      async remove_staged_payloads() {
        const kept = await domain.removeStagedPayloads(database, clock(), environment.stagedPayloadRetentionDays);
        if (kept.length === 0) return;
        logger.warn({ count: kept.length, account_import_ids: kept.slice(0, 5) }, 'staged_payloads_not_removed');
      },
    },
    pauseMs: 60 * 60 * 1_000,
    warning: { event: 'purge_failed', failures: 1 },
  },
];

/** @returns what ends it */
export function repeat(
  { clock, logger, work: metrics, tracing }: Pick<Start, 'clock' | 'logger' | 'work' | 'tracing'>,
  { runs, pauseMs, backsOff = 0, warning }: Work,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let failures = 0;
  const tell = (name: string, error: unknown) => {
    failures += 1;
    metrics.countRun(name, 'failed', clock());
    const isWarning = warning !== undefined && failures % warning.failures === 0;
    logger[isWarning ? 'warn' : 'debug']({ error, failures }, warning?.event ?? `${name}_failed`);
  };
  const run = async () => {
    const [begunAt, failuresBefore] = [performance.now(), failures];
    for (const [name, once] of Object.entries(runs)) {
      try {
        await tracing.run(name, once);
        metrics.countRun(name, 'done', clock());
      } catch (error) {
        if (!isStopping) tell(name, error);
      }
    }
    const hasFailed = failures > failuresBefore;
    if (!hasFailed) failures = 0;
    const pause = hasFailed ? Math.max(pauseMs, backsOff * (performance.now() - begunAt)) : pauseMs;
    if (!isStopping) timer = setTimeout(run, pause).unref();
  };
  void run();
  return () => {
    isStopping = true;
    clearTimeout(timer);
  };
}
