import type { Database } from '@causeway/db';

/** Every row of every table about one account that calls write, but for the columns that differ between any two accounts. */
export async function rowsOfAccount({ pool }: Database, id: string, different: readonly string[]) {
  const { rows: tables } = await pool.query<{ name: string; account: string }>(
    `SELECT table_name AS name, column_name AS account FROM information_schema.columns
    WHERE table_schema = 'public' AND (column_name IN ('account_import_id', 'subject_id')
      OR (table_name, column_name) = ('account_imports', 'id'))
      AND table_name NOT IN ('idempotency_keys', 'import_problem_accounts', 'meter_point_occupancies', 'meter_point_changes')`,
  );
  const found: Record<string, Record<string, unknown>[]> = {};
  for (const { name, account } of tables) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(record) - $1::text[] AS row FROM ${name} AS record WHERE ${account} = $2
      ORDER BY length(to_jsonb(record)->>'id'), to_jsonb(record)->>'id', record::text`,
      [different, id],
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
