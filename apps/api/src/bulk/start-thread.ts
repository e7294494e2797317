import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database } from '@causeway/db';
import { findBulkWork, findEmailWork, findReconciliationWork, hasWebhookWork } from '@causeway/domain';
import type { Pace } from '@causeway/runner';
import { buildInfo } from '../build-info.ts';
import type { Connection } from '../start/open-migrated-database.ts';
import type { Start } from '../start/start.ts';
import type { TokenSecrets } from '../webhooks/webhook-settings.ts';
import { LANE_KINDS, type LaneKind, lanePoolSize, settingsOfLanes } from './lane-settings.ts';
import type { ServiceMessage, ThreadData, ThreadMessage } from './thread-messages.ts';

const ENTRY = new URL(buildInfo.isBuilt ? '../../../../service/bulk-thread.js' : './thread.ts', import.meta.url);
const LOOKED_FOR_EVERY_MS = 1_000;
const ENDED_AFTER_MS = 60_000;
const LOOKED_AT_EVERY_MS = 50;
/**
 * The lanes hold a few chunks. A thread that comes to need more than this ends by itself; but one that asks for much more at
 * once takes the service with it: whatever a lane builds needs a limit of its own.
 */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** Lanes in a thread. */
export interface LaneThread {
  /** Lets the lanes end their chunks, within the drain's time-out; what takes longer is rolled back. */
  stop(): Promise<void>;
}

export interface LaneThreadOptions {
  database: Database;
  connection: Connection;
  secrets: TokenSecrets;
  /** Which lanes have a thread of their own here. Default: all. */
  kinds?: readonly LaneKind[];
  /** How the lanes work just now. */
  pace: () => Pace;
}

/**
 * Works on bulk jobs and reconciliations in a thread, and sends e-mails and webhooks in another (behaviour 21.11, 28.2, 29.3).
 * Each is there while it has something to do, and for a minute after that: it takes up to 120 MB. If it ends by itself, it is
 * started again.
 */
export function startLaneThreads(start: Start, { kinds = LANE_KINDS, ...options }: LaneThreadOptions): LaneThread {
  const shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const timer = setInterval(() => Atomics.store(shared, 0, options.pace()), LOOKED_AT_EVERY_MS);
  const threads = kinds.map((kind) => {
    const environment = settingsOfLanes(start.environment, kind);
    return startThread({ ...start, environment }, { ...options, kind, pace: shared.buffer });
  });
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

interface ThreadOptions extends Omit<LaneThreadOptions, 'pace' | 'kinds'>, Pick<ThreadData, 'pace'> {
  kind: LaneKind;
}

function startThread(start: Start, { database, connection, secrets, kind, pace }: ThreadOptions): LaneThread {
  const { environment } = start;
  if (lanePoolSize(environment) === 0) return { stop: async () => undefined };
  const workerData: ThreadData = { environment, connection, secrets, pace };
  const stopping = new AbortController();
  let thread: Worker | undefined;

  function launch(): Worker {
    const launched = new Worker(ENTRY, { workerData, resourceLimits: LIMITS });
    launched.on('message', (message: ThreadMessage) => hear(start, message));
    launched.on('error', (error) => start.logger.error({ error, lanes: kind }, 'bulk_thread_failed'));
    launched.once('exit', () => {
      if (thread === launched) thread = undefined;
    });
    return launched;
  }

  async function run(): Promise<void> {
    let neededAt = 0;
    while (!stopping.signal.aborted) {
      // A database that does not answer now has nothing for the lanes either.
      if (await hasWork(start, database).catch(() => false)) {
        neededAt = performance.now();
        thread ??= launch();
      } else if (thread !== undefined && performance.now() - neededAt > ENDED_AFTER_MS) {
        await end(thread, environment.drainTimeoutMs);
      }
      await delay(LOOKED_FOR_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
      if (thread !== undefined) await end(thread, environment.drainTimeoutMs);
    },
  };
}

async function hasWork({ environment, clock }: Start, database: Database): Promise<boolean> {
  const { bulk, emails, webhooks } = environment;
  if (bulk.lanes > 0 && (await findBulkWork(database)).length > 0) return true;
  if (bulk.lanes > 0 && (await findReconciliationWork(database)).length > 0) return true;
  if (emails !== undefined && (await findEmailWork(database, clock())).length > 0) return true;
  return webhooks.lanes > 0 && (await hasWebhookWork(database, clock()));
}

async function end(thread: Worker, timeoutMs: number): Promise<void> {
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  thread.postMessage('stop' satisfies ServiceMessage);
  const timeout = new AbortController();
  await Promise.race([exited, delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
  await thread.terminate();
}

function hear({ logger, work }: Start, message: ThreadMessage): void {
  if (message.kind === 'log') logger[message.level](message.facts, message.event);
  if (message.kind === 'lines') work.countBulkLines(message.counts, message.runMode);
  if (message.kind === 'emails') work.countEmails(message.outcome, message.emails);
  if (message.kind === 'own_texts') work.countOwnTexts(message.emails);
  if (message.kind === 'chunk') work.countBulkChunk(message.result, message.seconds);
  if (message.kind === 'webhook') work.countWebhookMessage(message.outcome, message.seconds);
}
