import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Database,
  type DatabaseOptions,
  type DatabaseRoles,
  ensureServiceRole,
  openDatabase,
  prepareDatabase,
  requirePooling,
} from '@causeway/db';
import { keepSecret, startEmbeddedPostgres } from '@causeway/embedded-postgres';
import type { DatabaseEnvironment } from '../database-environment.ts';
import { bothObservers } from '../observability/tracing.ts';
import type { Start } from './start.ts';

const DATABASE_CLOSE_TIMEOUT_MS = 500;
const SERVES_AS_OWNER_REMEDY =
  'The role of DATABASE_URL may change audit events and the schema: give the service a role of its own there, and set ' +
  'DATABASE_OWNER_URL to this one.';
const STATEMENTS_REMEDY =
  'The pooler of DATABASE_URL does not keep prepared statements, so that each is planned each time: use PgBouncer 1.21 ' +
  'or newer, with max_prepared_statements = 200.';

/** The database, and what it takes to open it again: the URL of the role that serves, and what lies before it. */
export interface OpenedDatabase {
  database: Database;
  connection: Connection;
}

export type Connection = Pick<DatabaseOptions, 'url'> & { keepsStatements: boolean };

/** Opens the configured or the embedded database with this version's schema; unfinished steps are logged. */
export async function openMigratedDatabase(
  start: Start,
  more: Pick<DatabaseOptions, 'transactionStatementTimeoutMs'> = {},
): Promise<OpenedDatabase> {
  const { environment, logger, closing, work, tracing } = start;
  const roles = await databaseRoles(environment, () => startDatabaseServer(start));
  const { statementTimeoutMs, lockTimeoutMs } = environment;
  const { keepsStatements } = await requirePooling(roles.url, { statementTimeoutMs, lockTimeoutMs });
  if (!keepsStatements) logger.warn({ remedy: STATEMENTS_REMEDY }, 'pooler_loses_statements');
  const { missingIndexes, brokenConstraints, servesAsOwner } = await prepareDatabase(roles);
  for (const index of missingIndexes) {
    logger.warn(index, 'index_not_built');
  }
  for (const constraint of brokenConstraints) {
    logger.warn(constraint, 'constraint_not_valid');
  }
  if (servesAsOwner) {
    logger.warn({ remedy: SERVES_AS_OWNER_REMEDY }, 'database_role_owns_tables');
  }
  const connection = { url: roles.url, keepsStatements };
  const database = openDatabase({
    ...connection,
    ...more,
    poolSize: environment.databasePoolSize,
    acquireTimeoutMs: environment.databaseAcquireTimeoutMs,
    statementTimeoutMs,
    lockTimeoutMs,
    observer: bothObservers(work.statements, tracing.statements),
    onError: (error) => logger.warn({ error }, 'database_connection_lost'),
  });
  // Work that outlasts the drain is abandoned: its caller has been cut off.
  closing.push(() => Promise.race([database.close(), delay(DATABASE_CLOSE_TIMEOUT_MS)]));
  return { database, connection };
}

/** The embedded server is launched again if it ends; if that fails, the service has failed. */
async function startDatabaseServer({ environment, logger, closing, fail }: Start): Promise<string> {
  const embedded = await startEmbeddedPostgres({
    dataDirectory: environment.dataDirectory,
    watch: {
      report: (event, facts) => logger[/_(ended|lost)$/.test(event) ? 'warn' : 'info'](facts, event),
      giveUp: (error) => {
        logger.fatal({ error }, 'database_server_given_up');
        fail(error);
      },
    },
  });
  closing.push(() => embedded.stop());
  return embedded.url;
}

/**
 * The roles that serve and that change the schema: from the environment, or else in the server that `startServer`
 * starts.
 */
export async function databaseRoles(
  { databaseUrl, databaseOwnerUrl, dataDirectory }: DatabaseEnvironment,
  startServer: () => Promise<string>,
): Promise<DatabaseRoles> {
  if (databaseUrl !== undefined) {
    return { url: databaseUrl, ownerUrl: databaseOwnerUrl };
  }
  const ownerUrl = await startServer();
  const password = await keepSecret(path.join(dataDirectory, 'postgres-service-password'));
  return { url: await ensureServiceRole(ownerUrl, password), ownerUrl };
}
