import { sql } from '@causeway/db';

/** Grouped in the order of an index. An import supplier without any account import has its row too. */
export const COUNT_ACCOUNT_IMPORTS = sql('count-account-imports', {
  import_supplier: 'text',
  counted: 'text',
  count: 'integer',
})`
  SELECT import_supplier_code AS import_supplier, lower(state::text) AS counted, count(*)::integer AS count
  FROM account_imports
  GROUP BY import_supplier_code, state
  UNION ALL
  SELECT import_supplier_code, 'incomplete', coalesce(sum(accounts), 0)::integer
  FROM incomplete_account_counts
  GROUP BY import_supplier_code
  UNION ALL
  SELECT import_supplier_code, 'problems', count(*)::integer
  FROM import_problems
  WHERE accounts > 0
  GROUP BY import_supplier_code
  UNION ALL
  SELECT code, 'staged', 0
  FROM import_suppliers`;
