import type pg from 'pg';

export interface DatabaseDescription {
  /** The version of the server. */
  postgresql: string;
  migrations: {
    /** How many are applied, those of newer releases among them. */
    applied: number;
    newest: string;
  };
}

const DESCRIBE = `
  SELECT current_setting('server_version') AS postgresql, count(*)::int AS applied, max(migration_name) AS newest
  FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/** Facts about a migrated database, for the log. */
export async function describeDatabase({ pool }: { pool: pg.Pool }): Promise<DatabaseDescription> {
  const { rows } = await pool.query<{ postgresql: string; applied: number; newest: string | null }>(DESCRIBE);
  const { postgresql = '', applied = 0, newest = null } = rows[0] ?? {};
  return { postgresql, migrations: { applied, newest: newest ?? '' } };
}
