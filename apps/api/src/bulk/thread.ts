import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '@causeway/db';
import type { Pace } from '@causeway/runner';
import { describeError } from '../observability/logging.ts';
import { NO_TRACING } from '../observability/tracing.ts';
import { connectPaymentVendors } from '../start/prepare-domain.ts';
import { lanePoolSize } from './lane-settings.ts';
import { lowerPriority } from './lower-priority.ts';
import { LANE_STATEMENT_TIMEOUT_MS, runLanes } from './run-lanes.ts';
import type { ServiceMessage, ThreadData, ThreadMessage } from './thread-messages.ts';

// Lanes of an instance, in a thread of their own: what they compute does not keep callers waiting.

lowerPriority();

const { environment, connection, secrets, pace } = workerData as ThreadData;
const closing: (() => unknown)[] = [];
const tell = (message: ThreadMessage) => parentPort?.postMessage(message);
const shared = new Int32Array(pace);

const database = openDatabase({
  ...connection,
  poolSize: lanePoolSize(environment),
  acquireTimeoutMs: environment.databaseAcquireTimeoutMs,
  statementTimeoutMs: environment.statementTimeoutMs,
  transactionStatementTimeoutMs: LANE_STATEMENT_TIMEOUT_MS,
  lockTimeoutMs: environment.lockTimeoutMs,
});
closing.push(() => database.close());

/** An error is described here: on its way to another thread it would lose its code. */
function described(facts: Record<string, unknown>): Record<string, unknown> {
  const { error, ...others } = facts;
  return error === undefined ? others : { ...others, error: describeError(error) };
}

const runner = runLanes(environment, {
  database,
  clock: () => new Date(),
  secrets,
  paymentVendors: await connectPaymentVendors({ environment, closing, tracing: NO_TRACING }),
  pace: () => Atomics.load(shared, 0) as Pace,
  report: {
    log: (level, event, facts) => tell({ kind: 'log', level, event, facts: described(facts) }),
    countLines: (counts, runMode) => tell({ kind: 'lines', counts, runMode }),
    countEmails: (outcome, emails) => tell({ kind: 'emails', outcome, emails }),
    countOwnTexts: (emails) => tell({ kind: 'own_texts', emails }),
    countChunk: (result, seconds) => tell({ kind: 'chunk', result, seconds }),
    countMessage: (outcome, seconds) => tell({ kind: 'webhook', outcome, seconds }),
  },
});

parentPort?.once('message', async (_stop: ServiceMessage) => {
  await runner.stop();
  for (const close of closing.reverse()) await close();
  parentPort?.close();
});
