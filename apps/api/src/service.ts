import { createServer } from 'node:http';
import type { Database } from '@causeway/db';
import {
  countAccountImportsByState,
  createImportSupplierDirectory,
  ensureStaffApiKey,
  paymentVendorsFrom,
} from '@causeway/domain';
import { answerUnreadableRequests } from './answers/unreadable-requests.ts';
import { createApp } from './app.ts';
import type { Environment } from './env.ts';
import { createReadiness } from './health/readiness.ts';
import { listen, listenAt, prepareDrain } from './listen.ts';
import { createLogger } from './observability/logging.ts';
import { createMetrics, createMetricsServer, type Metrics } from './observability/metrics.ts';
import { createAdmission } from './overload/admission.ts';
import { createConnections } from './overload/connections.ts';
import { createFairShare } from './overload/fair-share.ts';
import { createAuthenticator } from './request/authenticate.ts';
import { keepTokenSecret } from './request/keep-token-secret.ts';
import { answerExpectations } from './request/request-head.ts';
import { createTokens } from './request/tokens.ts';
import { startSandboxVendor } from './sandbox/sandbox-vendor.ts';
import { openMigratedDatabase } from './start/open-migrated-database.ts';
import { purgeNowAndHourly } from './start/purge-now-and-hourly.ts';
import type { Start } from './start/start.ts';

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
  /** Resolves, with the reason, once the service cannot continue: stop it, and let its supervisor start a new one. */
  failure: Promise<Error>;
  /** Stops accepting, finishes requests in flight (within the drain timeout), closes the database. */
  stop(): Promise<void>;
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
  const logger = createLogger({ level: environment.logLevel });
  const { promise: failure, resolve: fail } = Promise.withResolvers<Error>();
  const start: Start = { environment, clock, logger, closing: [() => logger.flush()], fail };
  const stop = async () => {
    for (const close of start.closing.splice(0).reverse()) {
      await close();
    }
  };
  try {
    const database = await openMigratedDatabase(start);
    purgeNowAndHourly(start, database);
    const urls = await serve(start, database);
    // Last: a generated key is shown only once, so nothing may fail in between.
    const newStaffApiKey = await ensureStaffApiKey(database, clock, environment.staffApiKey);
    return { ...urls, newStaffApiKey, database, failure, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function serve(start: Start, database: Database): Promise<Pick<Service, 'url' | 'metricsUrl'>> {
  const { environment, logger, closing } = start;
  const dependencies = await assemble(start, database);
  const { metrics, readiness } = dependencies;
  const server = createServer(
    {
      headersTimeout: environment.headersTimeoutMs,
      connectionsCheckingInterval: CONNECTIONS_CHECKED_EVERY_MS,
      // Node would refuse it without a body.
      requireHostHeader: false,
    },
    createApp(dependencies),
  );
  const drain = prepareDrain(server);
  answerUnreadableRequests(server);
  answerExpectations(server);
  const metricsUrl = await serveMetrics(start, metrics);
  const { url, port } = await listen(server, environment);
  closing.push(() => {
    readiness.stop();
    return drain(environment.drainTimeoutMs);
  });
  logger.info({ address: environment.host, port }, 'listening');
  return { url, metricsUrl };
}

/** The parts that the app is put together from. */
async function assemble(start: Start, database: Database) {
  const { environment, clock, logger } = start;
  const { pool } = database;
  const tokens = createTokens({ secret: await keepTokenSecret(database, environment), clock });
  const { databasePoolSize: poolSize, databaseAcquireTimeoutMs: acquireTimeoutMs } = environment;
  const connections = createConnections(database, { poolSize, acquireTimeoutMs });
  const admission = createAdmission({ pool, connections }, environment.admission);
  const countAccountsByState = () => countAccountImportsByState(database);
  return {
    domain: {
      database,
      clock,
      timeZone: environment.timeZone,
      documentBucket: environment.documentBucket,
      importSuppliers: createImportSupplierDirectory(database, clock),
      paymentVendors: await connectPaymentVendors(start),
    },
    authenticator: createAuthenticator({ database, clock, tokens }),
    tokens,
    metrics: createMetrics({ pool, connections, admission, countAccountsByState }),
    hidesMetrics: environment.metricsPort !== undefined,
    logger,
    readiness: createReadiness(database),
    admission,
    connections,
    heldOfUnknown: createFairShare(environment.maxHeldBytesOfUnknown),
    limits: {
      maxBodyBytes: environment.maxBodyBytes,
      bodyTimeoutMs: environment.bodyTimeoutMs - closingMs(environment),
      held: createFairShare(environment.maxHeldBytes),
    },
    attemptLimits: environment.attemptLimits,
    trustedProxies: environment.trustedProxies,
  };
}

async function serveMetrics({ environment, logger, closing }: Start, metrics: Metrics): Promise<string | undefined> {
  const { host, metricsPort } = environment;
  if (metricsPort === undefined) {
    return undefined;
  }
  const server = createMetricsServer(metrics);
  const { url, port } = await listenAt(server, { host, port: metricsPort, variable: 'METRICS_PORT' });
  closing.push(() => {
    server.close().closeAllConnections();
  });
  logger.info({ address: host, port }, 'metrics_listening');
  return url;
}

/** The part of the body timeout reserved for answering and closing, so that a slow client has disconnected in time. */
function closingMs({ bodyTimeoutMs }: Environment): number {
  return Math.min(500, bodyTimeoutMs / 10);
}

async function connectPaymentVendors({ environment, closing }: Start) {
  const settings = environment.paymentVendors;
  if (!settings.some(({ kind }) => kind === 'sandbox')) {
    return paymentVendorsFrom(settings);
  }
  const sandbox = await startSandboxVendor();
  closing.push(() => sandbox.close());
  return paymentVendorsFrom(settings, sandbox);
}
