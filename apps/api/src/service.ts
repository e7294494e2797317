import { createServer } from 'node:http';
import { type Database, migrate, openDatabase, pendingMigrations, startEmbeddedPostgres } from '@causeway/db';
import {
  countAccountImportsByState,
  createImportSupplierDirectory,
  ensureStaffApiKey,
  paymentVendorsFrom,
  sharedSecret,
} from '@causeway/domain';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createAuthenticator } from './authentication/authenticate.ts';
import { createTokens } from './authentication/tokens.ts';
import type { Environment } from './env.ts';
import { drain, listen } from './listen.ts';
import { createAdmission } from './observability/admission.ts';
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

/** The world outside, which tests replace. */
export interface ServiceOptions {
  clock?: () => Date;
}

/** What a step needs of the ones before it, and where it leaves what is to be closed, last opened first. */
interface Start {
  environment: Environment;
  clock: () => Date;
  logger: Logger;
  closing: (() => unknown)[];
}

/** Environment -> database, migrated -> dependencies -> listening (design 6). What was opened is closed if a step fails. */
export async function startService(
  environment: Environment,
  { clock = () => new Date() }: ServiceOptions = {},
): Promise<Service> {
  const logger = createLogger({ level: environment.logLevel });
  const start: Start = { environment, clock, logger, closing: [() => logger.flush()] };
  const stop = async () => {
    for (const close of start.closing.splice(0).reverse()) {
      await close();
    }
  };
  try {
    const database = await openMigratedDatabase(start);
    const newStaffApiKey = await ensureStaffApiKey(database, clock, environment.staffApiKey);
    const url = await serve(start, database);
    return { url, newStaffApiKey, database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openMigratedDatabase({ environment, logger, closing }: Start): Promise<Database> {
  let url = environment.databaseUrl;
  if (url === undefined) {
    const embedded = await startEmbeddedPostgres({ dataDirectory: environment.dataDirectory });
    closing.push(() => embedded.stop());
    url = embedded.url;
  }
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
  return database;
}

async function serve(start: Start, database: Database): Promise<string> {
  const { environment, clock, logger, closing } = start;
  const tokens = createTokens({
    secret: environment.tokenSecret ?? (await sharedSecret(database, 'token_secret')),
    clock,
  });
  let draining = false;
  const app = createApp({
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
    metrics: createMetrics({
      pool: database.pool,
      countAccountsByState: () => countAccountImportsByState(database),
    }),
    logger,
    readiness: { problems: () => readinessProblems(database, draining) },
    admission: createAdmission(database.pool, environment.admission),
    limits: { maxBodyBytes: environment.maxBodyBytes, bodyTimeoutMs: environment.bodyTimeoutMs },
    trustedProxies: environment.trustedProxies,
  });
  const server = createServer({ headersTimeout: environment.headersTimeoutMs }, app);
  const { url, port } = await listen(server, environment);
  closing.push(() => {
    draining = true;
    return drain(server, environment.drainTimeoutMs);
  });
  logger.info({ address: environment.host, port }, 'listening');
  return url;
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
