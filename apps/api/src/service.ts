import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Database,
  type EmbeddedPostgres,
  migrate,
  openDatabase,
  pendingMigrations,
  startEmbeddedPostgres,
} from '@causeway/db';
import {
  countAccountImportsByState,
  createImportSupplierDirectory,
  ensureStaffApiKey,
  paymentVendorsFrom,
  sharedSecret,
} from '@causeway/domain';
import { createApp } from './app.ts';
import { createAuthenticator } from './authentication/authenticate.ts';
import { createTokens } from './authentication/tokens.ts';
import type { Environment } from './env.ts';
import { createLogger } from './observability/logging.ts';
import { createMetrics } from './observability/metrics.ts';
import { startSandboxVendor } from './sandbox/sandbox-vendor.ts';

/** A service that is ready. */
export interface Service {
  url: string;
  /** The staff key that this start generated, to be shown once. */
  newStaffApiKey: string | undefined;
  database: Database;
  /** Stops accepting, finishes what runs (within the drain timeout), closes the database. */
  stop(): Promise<void>;
}

/** The world outside that tests replace. */
export interface ServiceOptions {
  clock?: () => Date;
}

/** Environment -> database, migrated -> dependencies -> listening (design 6). What was opened is closed if a step fails. */
export async function startService(
  environment: Environment,
  { clock = () => new Date() }: ServiceOptions = {},
): Promise<Service> {
  const logger = createLogger({ level: environment.logLevel });
  const closing: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  };
  try {
    const embedded = environment.databaseUrl === undefined ? await startEmbedded(environment) : undefined;
    if (embedded !== undefined) {
      closing.push(() => embedded.stop());
    }
    const url = environment.databaseUrl ?? embedded?.url ?? '';
    await migrate(url);
    const database = openDatabase({
      url,
      poolSize: environment.databasePoolSize,
      acquireTimeoutMs: environment.databaseAcquireTimeoutMs,
      statementTimeoutMs: environment.statementTimeoutMs,
      lockTimeoutMs: environment.lockTimeoutMs,
      onError: (error) => logger.warn({ error }, 'database_connection_lost'),
    });
    closing.push(() => database.close());
    const newStaffApiKey = await ensureStaffApiKey(database, clock, environment.staffApiKey);
    const secret = environment.tokenSecret ?? (await sharedSecret(database, 'token_secret'));
    const sandbox = environment.paymentVendors.some(({ kind }) => kind === 'sandbox')
      ? await startSandboxVendor()
      : undefined;
    if (sandbox !== undefined) {
      closing.push(() => sandbox.close());
    }
    const tokens = createTokens({ secret, clock });
    let draining = false;
    const app = createApp({
      domain: {
        database,
        clock,
        timeZone: environment.timeZone,
        documentBucket: environment.documentBucket,
        importSuppliers: createImportSupplierDirectory(database, clock),
        paymentVendors: paymentVendorsFrom(environment.paymentVendors, sandbox),
      },
      authenticator: createAuthenticator({ database, clock, tokens }),
      tokens,
      metrics: createMetrics({ pool: database.pool, countAccountsByState: () => countAccountImportsByState(database) }),
      logger,
      readiness: { problems: () => readinessProblems(database, draining) },
      limits: { maxBodyBytes: environment.maxBodyBytes, bodyTimeoutMs: environment.bodyTimeoutMs },
      trustedProxies: environment.trustedProxies,
    });
    const server = createServer({ headersTimeout: environment.headersTimeoutMs }, app);
    await listen(server, environment);
    closing.push(async () => {
      draining = true;
      await drain(server, environment.drainTimeoutMs);
    });
    const { port } = server.address() as AddressInfo;
    const host = environment.host.includes(':') ? `[${environment.host}]` : environment.host;
    logger.info({ host: environment.host, port }, 'listening');
    return { url: `http://${host}:${port}`, newStaffApiKey, database, stop: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function startEmbedded({ dataDirectory }: Environment): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDirectory });
}

async function readinessProblems(database: Database, draining: boolean): Promise<string[]> {
  if (draining) {
    return ['the service is stopping'];
  }
  try {
    const pending = await pendingMigrations(database);
    return pending.map((name) => `migration ${name} is not applied`);
  } catch {
    return ['the database does not answer'];
  }
}

function listen(
  server: Server,
  { host, port, idleTimeoutMs, headersTimeoutMs, bodyTimeoutMs }: Environment,
): Promise<void> {
  server.keepAliveTimeout = idleTimeoutMs;
  server.requestTimeout = headersTimeoutMs + bodyTimeoutMs;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken: set PORT to another one, or to 0.`) : error,
      );
    });
    server.listen({ host, port }, resolve);
  });
}

/** Idle connections go at once, busy ones after their answer, the rest when the time is over. */
function drain(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
