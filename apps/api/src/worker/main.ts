import { setTimeout as delay } from 'node:timers/promises';
import { PACE } from '@causeway/runner';
import { lanePoolSize, settingsOfLanes } from '../bulk/lane-settings.ts';
import { LANE_STATEMENT_TIMEOUT_MS, runLanes } from '../bulk/run-lanes.ts';
import { startLaneThreads } from '../bulk/start-thread.ts';
import { type Environment, readEnvironment } from '../env.ts';
import { tryPorts } from '../http/listen.ts';
import { createLogger } from '../observability/logging.ts';
import { createWorkerMetrics, metricsAddress, serveMetrics } from '../observability/metrics.ts';
import { NO_TRACING } from '../observability/tracing.ts';
import { createWorkMetrics } from '../observability/work-metrics.ts';
import { takeNoArguments } from '../program-arguments.ts';
import { keepTokenSecret } from '../start/keep-token-secret.ts';
import { openMigratedDatabase } from '../start/open-migrated-database.ts';
import { connectPaymentVendors } from '../start/prepare-domain.ts';
import type { Start } from '../start/start.ts';
import { STOP_SIGNALS } from '../stop-signals.ts';

// Works on bulk jobs, sends webhooks, and serves nobody, on as many machines as are wanted: npx pnpm@12 worker

/** To look whether there is something to send. */
const LOOKING_CONNECTIONS = 1;

/** The settings of an instance, except for the connections: lanes of bulk jobs need no others. */
function environmentOf(variables: Record<string, string | undefined>): Environment {
  const environment = readEnvironment(variables);
  const databasePoolSize = lanePoolSize(settingsOfLanes(environment, 'bulk')) + LOOKING_CONNECTIONS;
  return { ...environment, databasePoolSize };
}

async function main(): Promise<void> {
  const environment = environmentOf(process.env);
  await tryPorts(metricsAddress(environment));
  const logger = createLogger({ level: environment.logLevel });
  const { promise: ended, resolve: end } = Promise.withResolvers<{ reason: string; error?: Error }>();
  for (const signal of STOP_SIGNALS) process.on(signal, () => end({ reason: signal }));
  const work = createWorkMetrics();
  const closing: (() => unknown)[] = [() => logger.flush()];
  const fail = (error: Error) => end({ reason: 'failure', error });
  const start: Start = { environment, clock: () => new Date(), logger, work, tracing: NO_TRACING, closing, fail };
  const { database, connection } = await openMigratedDatabase(start, {
    transactionStatementTimeoutMs: LANE_STATEMENT_TIMEOUT_MS,
  });
  const paymentVendors = await connectPaymentVendors(start);
  const secrets = {
    secret: await keepTokenSecret(environment),
    otherSecret: environment.otherTokenSecret,
  };
  // What strangers answer keeps no bulk job waiting.
  const sending = startLaneThreads(start, {
    ...{ database, connection, secrets, kinds: ['sending'] },
    pace: () => PACE.FULL,
  });
  const runner = runLanes(settingsOfLanes(environment, 'bulk'), {
    database,
    clock: start.clock,
    paymentVendors,
    secrets,
    report: {
      log: (level, event, facts) => logger[level](facts, event),
      countLines: work.countBulkLines,
      countChunk: work.countBulkChunk,
      countEmails: work.countEmails,
      countOwnTexts: work.countOwnTexts,
      countMessage: work.countWebhookMessage,
    },
  });
  await serveMetrics(start, createWorkerMetrics({ work }));
  process.stderr.write(
    `Causeway works on bulk jobs in ${environment.bulk.lanes} lanes and sends webhooks in ${environment.webhooks.lanes}\n`,
  );
  const { reason, error } = await ended;
  // What takes longer than the drain is rolled back with its connection.
  await Promise.race([Promise.all([runner.stop(), sending.stop()]), delay(environment.drainTimeoutMs)]);
  for (const close of closing.reverse()) await close();
  if (error !== undefined) throw error;
  logger.info({ reason }, 'worker_stopped');
  process.exit(0);
}

takeNoArguments({ name: 'worker', purpose: 'Works on bulk jobs and sends webhooks and e-mails.' });
main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
