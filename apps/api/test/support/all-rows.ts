import type { Database } from '@causeway/db';

/** What the service keeps in the background, at any time. */
const ADDED_UP = [
  ...['import_problems', 'import_problem_accounts', 'import_problem_changes'],
  ...['incomplete_accounts', 'incomplete_account_counts', 'refusal_settlements', 'progress_samples'],
  ...['meter_point_occupancies', 'meter_point_cursors', 'meter_point_changes'],
];
const REFUSED_EVENTS = new Map([
  ['audit_events', "WHERE action NOT LIKE '%\\_refused'"],
  ['events', "WHERE type <> 'account.refused'"],
]);

/**
 * Every row of every table, as text, to tell that a call changed nothing whatever. That it was refused is remembered
 * (behaviour 4.15): those rows are left out, unless `refusals` asks for them.
 */
export async function allRows(database: Database, { refusals = false } = {}): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const left = refusals ? ADDED_UP : [...ADDED_UP, 'account_import_refusals'];
  const contents = await Promise.all(
    tables
      .filter(({ name }) => !left.includes(name))
      .map(async ({ name }) => {
        const where = refusals ? '' : (REFUSED_EVENTS.get(name) ?? '');
        const { rows } = await database.pool.query<{ row: string }>(
          `SELECT t::text AS row FROM "${name}" t ${where} ORDER BY 1`,
        );
        return [name, rows.map(({ row }) => row)] as const;
      }),
  );
  return Object.fromEntries(contents);
}
