import pg from 'pg';
import { migrationNames } from './migration-list.ts';

const UNDEFINED_TABLE = '42P01';
const QUERY_TIMEOUT_MS = 2_000;

/** Anything that runs a query: a client or a pool. */
interface Connection {
  query(text: string): Promise<{ rows: { migration_name: string }[] }>;
}

/** The names in `directory` that the database does not list as applied, oldest first. */
export async function unappliedMigrations(connection: Connection, directory?: string): Promise<string[]> {
  const applied = await connection
    .query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL')
    .catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return { rows: [] };
      throw error;
    });
  const names = new Set(applied.rows.map((row) => row.migration_name));
  return (await migrationNames(directory)).filter((name) => !names.has(name));
}

/**
 * The migrations of this code that the database lacks; empty when it is ready to serve. Migrations of a newer release
 * are ignored: they are additive. One small query, cheap enough for `/readyz`.
 */
export async function pendingMigrations({ pool }: { pool: pg.Pool }): Promise<string[]> {
  // A connection without an answer is closed, so that the next query uses another one.
  const impatient = { query_timeout: QUERY_TIMEOUT_MS };
  return unappliedMigrations({ query: (text) => pool.query({ text, ...impatient }) });
}
