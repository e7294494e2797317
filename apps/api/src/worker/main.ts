import { setTimeout as delay } from 'node:timers/promises';
import { LANE_STATEMENT_TIMEOUT_MS, lanePoolSize, runLanes } from '../bulk/run-lanes.ts';
import { type Environment, readEnvironment } from '../env.ts';
import { createLogger } from '../observability/logging.ts';
import { createWorkerMetrics, serveMetrics } from '../observability/metrics.ts';
import { NO_TRACING } from '../observability/tracing.ts';
import { createWorkMetrics } from '../observability/work-metrics.ts';
import { keepTokenSecret } from '../request/keep-token-secret.ts';
import { connectPaymentVendors } from '../start/connect-payment-vendors.ts';
import { openMigratedDatabase } from '../start/open-migrated-database.ts';
import type { Start } from '../start/start.ts';
import { STOP_SIGNALS } from '../stop-signals.ts';

// Works on bulk jobs, sends webhooks, and serves nobody, on as many machines as are wanted: npx pnpm@12 worker

/** The settings of an instance, except for the connections: its lanes need no others. */
function environmentOf(variables: Record<string, string | undefined>): Environment {
  const environment = readEnvironment(variables);
  return { ...environment, databasePoolSize: lanePoolSize(environment) };
}

async function main(): Promise<void> {
  const environment = environmentOf(process.env);
  const logger = createLogger({ level: environment.logLevel });
  const { promise: ended, resolve: end } = Promise.withResolvers<{ reason: string; error?: Error }>();
  for (const signal of STOP_SIGNALS) process.on(signal, () => end({ reason: signal }));
  const clock = () => new Date();
  const work = createWorkMetrics();
  const closing: (() => unknown)[] = [() => logger.flush()];
  const fail = (error: Error) => end({ reason: 'failure', error });
  const start: Start = { environment, clock, logger, work, tracing: NO_TRACING, closing, fail };
  const { database } = await openMigratedDatabase(start, {
    transactionStatementTimeoutMs: LANE_STATEMENT_TIMEOUT_MS,
  });
  const paymentVendors = await connectPaymentVendors(start);
  const runner = runLanes(environment, {
    database,
    clock,
    paymentVendors,
    secrets: {
      secret: await keepTokenSecret(database, environment),
      otherSecret: environment.otherTokenSecret,
    },
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
  await Promise.race([runner.stop(), delay(environment.drainTimeoutMs)]);
  for (const close of closing.reverse()) await close();
  if (error !== undefined) throw error;
  logger.info({ reason }, 'worker_stopped');
  process.exit(0);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
