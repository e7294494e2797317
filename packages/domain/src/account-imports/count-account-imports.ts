import type { Database } from '@causeway/db';
import { COUNT_ACCOUNT_IMPORTS } from './count-account-imports.sql.ts';

/** All states, always: a metric series that disappears would hide that its value fell to zero. */
const NONE = { staged: 0, failed: 0, skipped: 0, completed: 0 };

/** Account imports by state over all import suppliers, for the metrics. */
export async function countAccountImportsByState(database: Database): Promise<Record<string, number>> {
  const rows = await database.query(COUNT_ACCOUNT_IMPORTS, {});
  return { ...NONE, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}
