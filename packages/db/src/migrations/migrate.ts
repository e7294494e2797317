import type pg from 'pg';
import { connectClient } from '../connect-client.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from './migration-list.ts';
import { unappliedMigrations } from './pending-migrations.ts';
import { NO_FILTERS, openSchemaEngine } from './schema-engine.ts';

/** The advisory lock of the instance that migrates; the number is Prisma's own, so that its CLI waits for us too. */
const MIGRATION_LOCK = 72_707_369;
const LOCK_TIMEOUT = '15s';

/** An error that names the migration and the database's own reason, the first of what went wrong. */
function explain(error: unknown, reason: unknown): Error {
  const [, name] = /migration_name="([^"]+)"/.exec(String(error)) ?? [];
  const detail = reason instanceof Error ? reason.message : String(reason);
  return new Error(`The database was not changed: migration ${name ?? 'run'} failed: ${detail}`, { cause: reason });
}

async function applyMigrations(client: pg.Client, directory: string): Promise<void> {
  const failures: unknown[] = [];
  try {
    await client.query('BEGIN');
    // The engine takes this lock too, but it must be held until COMMIT and waited for as long as that takes.
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    // A table lock that is not granted soon would stop every request that queues behind it.
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    using engine = await openSchemaEngine({ client, onError: (error) => failures.push(error) });
    await engine.applyMigrations({ migrationsList: await readMigrations(directory), filters: NO_FILTERS });
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
  } catch (error) {
    throw explain(error, failures[0] ?? error);
  }
}

/**
 * Brings a database up to date: design 5. All pending migrations and Prisma's record of them are one transaction: they
 * are applied whole or not at all, even if this process is killed, and the next start begins afresh. Instances that
 * start at once wait for the first one. A database that is up to date costs one query.
 *
 * @param url of the database, as PostgreSQL writes it
 * @throws where the database cannot be reached, and where a migration fails, with its name and the database's reason
 */
export async function migrate(url: string, directory = MIGRATIONS_DIRECTORY): Promise<void> {
  const client = await connectClient(url, { application_name: 'causeway-migrate' });
  try {
    if ((await unappliedMigrations(client, directory)).length === 0) return;
    await client.query(`SET TimeZone = 'UTC'`);
    await applyMigrations(client, directory);
  } finally {
    await client.end().catch(() => undefined);
  }
}
