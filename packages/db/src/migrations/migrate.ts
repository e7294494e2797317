import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { isDenied, isRolledBack } from '../database-errors.ts';
import { BASELINE, hasTablesOfBaseline } from './baseline.ts';
import { beginChanges, withConnection } from './connect.ts';
import { MIGRATIONS_DIRECTORY } from './migration-list.ts';
import { openRecord, record } from './migration-record.ts';
import { unappliedMigrations } from './pending-migrations.ts';

/** The advisory lock of the instance that migrates; the number is Prisma's own, so that its CLI waits for us too. */
export const MIGRATION_LOCK = 72_707_369;
/** A table lock that is not granted soon would block every request that queues behind it. */
export const LOCK_TIMEOUT = '15s';
/** A migration locks tables one after the other, and may deadlock with a call in flight: it is retried. */
const ATTEMPTS = 5;
const REMEDY = 'Set DATABASE_OWNER_URL to a role that owns the tables: it migrates, and grants the service its rights.';

/** Called with a sentence for each thing that was done. */
export type Report = (done: string) => void;

/** @param isDone the database has what the migration makes */
async function apply(client: pg.Client, directory: string, [name, isDone]: [string, boolean]): Promise<string> {
  try {
    const script = await readFile(path.join(directory, name, 'migration.sql'), 'utf8');
    await record(client, { name, script, isDone });
    return isDone ? `Recorded migration ${name}, whose tables there are.` : `Applied migration ${name}.`;
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function applyPending(client: pg.Client, directory: string): Promise<string[]> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await openRecord(client);
  // Checks again: the previous holder of the lock may have applied them.
  const pending = await unappliedMigrations(client, directory);
  const hasTables = pending.includes(BASELINE) && (await hasTablesOfBaseline(client));
  const done: string[] = [];
  for (const name of pending) done.push(await apply(client, directory, [name, hasTables && name === BASELINE]));
  await client.query('COMMIT');
  return done;
}

async function applyOnceMoreAfterDeadlock(client: pg.Client, directory: string): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyPending(client, directory);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRolledBack(error)) throw error;
      await client.query('ROLLBACK');
    }
  }
}

function explain(error: unknown, pending: string[]): Error {
  const remedy = isDenied(error) ? REMEDY : 'Start again once that is put right.';
  const named = isDenied(error) && pending.length > 0 ? ` Pending: ${pending.join(', ')}.` : '';
  const message = `The database was not changed: ${(error as Error).message}.${named} ${remedy}`;
  return new Error(message, { cause: error });
}

/**
 * Brings a database up to date. All pending migrations and the record of them are one transaction: they are atomic,
 * even if this process is killed, and the next start begins again. Instances that start concurrently wait for the first
 * one. A database that is up to date costs one query. Applied migrations are identified by their names: unknown ones
 * belong to a newer version and are ignored. What version 0.1.0 has brought up to date has the baseline.
 *
 * @param url of the database, in PostgreSQL's form; the role need not be the owner if nothing is pending
 * @throws if the database cannot be reached or is older than version 0.1.0, or a migration fails, with its name and the
 *   database's reason
 */
export async function migrate(
  url: string,
  directory = MIGRATIONS_DIRECTORY,
  report: Report = () => undefined,
): Promise<void> {
  await withConnection(url, async (client) => {
    let pending: string[] = [];
    try {
      pending = await unappliedMigrations(client, directory);
      if (pending.length === 0) return;
      await beginChanges(url, client);
      for (const done of await applyOnceMoreAfterDeadlock(client, directory)) report(done);
    } catch (error) {
      throw explain(error, pending);
    }
  });
}
