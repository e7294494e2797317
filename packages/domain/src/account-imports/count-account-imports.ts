import { type Database, statement } from '@causeway/db';

const COUNT_ACCOUNT_IMPORTS = statement(
  'count-account-imports',
  'SELECT lower(state::text) AS state, count(*)::integer AS count FROM account_imports GROUP BY state',
);

/** Account imports by state over all import suppliers, for the metrics; states without imports are absent. */
export async function countAccountImportsByState(database: Database): Promise<Record<string, number>> {
  const rows = await database.query<{ state: string; count: number }>(COUNT_ACCOUNT_IMPORTS, []);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
