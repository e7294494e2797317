import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { countMigrations, type Database } from '@causeway/db';
import {
  addReportKey,
  countAccountImports,
  countWebhookEndpoints,
  ensureStaffApiKey,
  setEventRecording,
} from '@causeway/domain';
import type { Logger } from 'pino';
import { answerUnreadableRequests } from './answers/unreadable-requests.ts';
import { createLoopTurns } from './bodies/loop-turns.ts';
import type { BodyLimits } from './bodies/receive-body.ts';
import { buildInfo } from './build-info.ts';
import { lanePace } from './bulk/lane-pace.ts';
import { createPartThreads } from './bulk/part-threads.ts';
import { startLaneThreads } from './bulk/start-thread.ts';
import type { Environment } from './env.ts';
import { createReadiness, type StoppableReadiness } from './health/health.ts';
import { createAuthenticator } from './http/caller.ts';
import { listen, prepareDrain, serviceAddress, tryPorts } from './http/listen.ts';
import { answerExpectations } from './http/request-head.ts';
import { serveRequests } from './http/serve.ts';
import { createTokens } from './http/tokens.ts';
import { createLogger } from './observability/logging.ts';
import { createMetrics, metricsAddress, serveMetrics } from './observability/metrics.ts';
import { createWorkMetrics } from './observability/work-metrics.ts';
import { Admission } from './overload/admission.ts';
import { createConnections } from './overload/connections.ts';
import { Parties, Share } from './overload/party.ts';
import { createReportSigner } from './reports/report-keys.ts';
import { workInBackground } from './start/background.ts';
import { keepTokenSecret } from './start/keep-token-secret.ts';
import { type OpenedDatabase, openMigratedDatabase } from './start/open-migrated-database.ts';
import { prepareDomain } from './start/prepare-domain.ts';
import { describeStart, openTracing, type Start } from './start/start.ts';
import { prepareWebhooks } from './webhooks/webhook-settings.ts';

/** Node's own interval of 30 seconds would turn a limit of 10 seconds into up to 40. */
const CONNECTIONS_CHECKED_EVERY_MS = 1_000;

/** A service that is ready. */
export interface Service {
  url: string;
  /** Where /metrics is, if it has a port of its own. */
  metricsUrl: string | undefined;
  /** The staff key that this start generated, to be shown once. */
  newStaffApiKey: string | undefined;
  database: Database;
  logger: Logger;
  /** Resolves, with the reason, once the service cannot continue: stop it, and let its supervisor start a new one. */
  failure: Promise<Error>;
  /**
   * Is not ready from now on and keeps serving for SHUTDOWN_DELAY_MS, so that load balancers notice before anything is
   * refused; `hurry` ends that time.
   */
  retire(reason: string, hurry: AbortSignal): Promise<void>;
  /** Stops accepting, finishes requests in flight (within the drain timeout), closes the database. */
  stop(reason?: string): Promise<void>;
}

/** External dependencies, which tests replace. */
export interface ServiceOptions {
  clock?: () => Date;
}

/**
 * Environment -> database, migrated -> dependencies -> listening (behaviour 16.2). What was opened is closed if a step
 * fails.
 */
export async function startService(
  environment: Environment,
  { clock = () => new Date() }: ServiceOptions = {},
): Promise<Service> {
  await tryPorts(serviceAddress(environment), metricsAddress(environment));
  const logger = createLogger({ level: environment.logLevel });
  const { promise: failure, resolve: fail } = Promise.withResolvers<Error>();
  const work = createWorkMetrics();
  const tracing = await openTracing(environment, logger);
  const closing = [() => logger.flush(), tracing.close];
  const start: Start = { environment, clock, logger, work, tracing, closing, fail };
  const startedAt = performance.now();
  const stop = async (reason = 'stop') => {
    const stoppedAt = performance.now();
    const closing = start.closing.splice(1).reverse();
    for (const close of closing) await close();
    if (closing.length > 0) logger.info({ reason, duration_ms: since(stoppedAt) }, 'service_stopped');
    for (const close of start.closing.splice(0)) await close();
  };
  try {
    const { database, connection } = await openMigratedDatabase(start);
    workInBackground(start, database);
    const { readiness, ...urls } = await serve(start, { database, connection });
    logger.info({ ...(await describeStart(environment, database)), duration_ms: since(startedAt) }, 'service_started');
    // Last: a generated key is shown only once, so nothing may fail in between.
    const newStaffApiKey = await ensureStaffApiKey(database, clock, environment.staffApiKey);
    return { ...urls, newStaffApiKey, database, logger, failure, retire: retirement(start, readiness), stop };
  } catch (error) {
    logger.fatal({ error }, 'service_not_started');
    await stop('failed start');
    throw error;
  }
}

const since = (time: number) => Math.round(performance.now() - time);

function retirement({ environment, logger }: Start, readiness: StoppableReadiness): Service['retire'] {
  return async (reason, hurry) => {
    readiness.stop();
    const delay_ms = environment.shutdownDelayMs;
    logger.info({ reason, delay_ms }, 'service_stopping');
    // Rejects if `hurry` ends it.
    if (delay_ms > 0) await delay(delay_ms, undefined, { signal: hurry }).catch(() => undefined);
  };
}

interface Served extends Pick<Service, 'url' | 'metricsUrl'> {
  readiness: StoppableReadiness;
}

async function serve(start: Start, { database, connection }: OpenedDatabase): Promise<Served> {
  const { environment, logger, closing } = start;
  const dependencies = await assemble(start, database);
  const { metrics, readiness } = dependencies;
  const { admission, partThreads, domain } = dependencies;
  closing.push(admission.stop, partThreads.stop, () => domain.templates.close());
  const server = createServer(
    {
      headersTimeout: environment.headersTimeoutMs,
      connectionsCheckingInterval: CONNECTIONS_CHECKED_EVERY_MS,
      // Node would refuse it without a body.
      requireHostHeader: false,
    },
    serveRequests(dependencies),
  );
  const drain = prepareDrain(server);
  answerUnreadableRequests(server);
  answerExpectations(server);
  const metricsUrl = await serveMetrics(start, metrics);
  const { url, port } = await listen(server, environment);
  const pace = lanePace({ pool: database.pool, ...dependencies });
  const lanes = startLaneThreads(start, { database, connection, pace, secrets: dependencies.secrets });
  closing.push(() => {
    readiness.stop();
    return Promise.all([drain(environment.drainTimeoutMs), lanes.stop()]);
  });
  logger.info({ address: environment.host, port }, 'listening');
  return { url, metricsUrl, readiness };
}

/** The parts that the app is put together from. */
async function assemble(start: Start, database: Database) {
  const { environment, clock, logger, work } = start;
  const { pool } = database;
  const secrets = { secret: await keepTokenSecret(environment), otherSecret: environment.otherTokenSecret };
  const tokens = createTokens({ ...secrets, clock });
  const reportSigner = await createReportSigner(secrets.secret);
  await addReportKey(database, reportSigner.key, clock());
  await setEventRecording(database, environment.eventDays > 0);
  const { databasePoolSize: poolSize, databaseAcquireTimeoutMs: acquireTimeoutMs } = environment;
  const connections = createConnections(database, { poolSize, acquireTimeoutMs });
  const admission = new Admission({ pool, connections }, environment.admission);
  const limits = bodyLimits(environment, admission);
  // One query after the other, on one connection at most.
  const countInDatabase = async () => ({
    migrations: await countAccountImports(database),
    schema: await countMigrations(database),
    webhooks: await countWebhookEndpoints(database, clock()),
  });
  return {
    domain: await prepareDomain(start, database),
    authenticator: createAuthenticator({ database, clock, tokens }),
    tokens,
    secrets,
    signReport: reportSigner.sign,
    webhooks: await prepareWebhooks(database, environment, secrets),
    metrics: createMetrics({ work, pool, connections, admission, build: buildInfo, countInDatabase }),
    tracing: start.tracing,
    hidesMetrics: environment.metricsPort !== undefined,
    logger,
    readiness: createReadiness(database),
    admission,
    connections,
    partThreads: createPartThreads(environment.bodyTimeoutMs),
    limits,
    limitsOfUnknown: { ...limits, held: new Share('heldUnknownBytes', environment.maxHeldBytesOfUnknown) },
    parties: new Parties(),
    attemptLimits: environment.attemptLimits,
    trustedProxies: environment.trustedProxies,
  };
}

function bodyLimits({ maxBodyBytes, bodyTimeoutMs, maxHeldBytes }: Environment, { company }: Admission): BodyLimits {
  // So that a slow client has been answered and has disconnected in time.
  const closingMs = Math.min(500, bodyTimeoutMs / 10);
  return {
    maxBodyBytes,
    bodyTimeoutMs: bodyTimeoutMs - closingMs,
    held: new Share('heldBytes', maxHeldBytes),
    takeTurn: createLoopTurns(company),
  };
}
