import pg from 'pg';
import { migrationNames } from './migration-list.ts';

const UNDEFINED_TABLE = '42P01';
const TIME_LIMIT = { query_timeout: 2_000 };

/** Anything that runs a query: a client or a pool. */
interface Connection {
  query(text: string): Promise<{ rows: { migration_name: string }[] }>;
}

/** The names in `directory` that the database does not list as applied, oldest first. */
export async function unappliedMigrations(connection: Connection, directory?: string): Promise<string[]> {
  const applied = await appliedMigrations(connection);
  return (await migrationNames(directory)).filter((name) => !applied.has(name));
}

/** Those that the database lists as applied, also of another version. */
async function appliedMigrations(connection: Connection): Promise<Set<string>> {
  const { rows } = await connection
    .query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL')
    .catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return { rows: [] };
      throw error;
    });
  return new Set(rows.map((row) => row.migration_name));
}

/**
 * The migrations of this code that the database lacks; empty when it is ready to serve. Migrations of a newer release
 * are ignored: they are additive. One small query, cheap enough for `/readyz`.
 */
export async function pendingMigrations({ pool }: { pool: pg.Pool }): Promise<string[]> {
  return unappliedMigrations(impatient(pool));
}

/** How many migrations the database has, and how many of this code it lacks. */
export async function countMigrations({ pool }: { pool: pg.Pool }): Promise<{ applied: number; pending: number }> {
  const applied = await appliedMigrations(impatient(pool));
  const pending = (await migrationNames()).filter((name) => !applied.has(name));
  return { applied: applied.size, pending: pending.length };
}

/** A connection without an answer is closed, so that the next query uses another one. */
function impatient(pool: pg.Pool): Connection {
  return { query: (text) => pool.query({ text, ...TIME_LIMIT }) };
}
