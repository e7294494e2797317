import type { Database } from '@causeway/db';

/** Every row of every table, as text, to tell that a call changed nothing whatever. */
export async function allRows(database: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await database.pool.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
      return [name, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(contents);
}
