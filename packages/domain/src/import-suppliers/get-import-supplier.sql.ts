import type { ImportSupplierCounts } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

export const COUNT_BY_STATE = sql('count-account-imports-of-supplier', {
  state: narrow<keyof ImportSupplierCounts | 'incomplete'>('text'),
  count: 'integer',
})`
  SELECT lower(state::text) AS state, count(*)::integer AS count
  FROM account_imports
  WHERE import_supplier_code = ${'code'}
  GROUP BY state
  UNION ALL
  SELECT 'incomplete', coalesce(sum(accounts), 0)::integer
  FROM incomplete_account_counts
  WHERE import_supplier_code = ${'code'}`;
