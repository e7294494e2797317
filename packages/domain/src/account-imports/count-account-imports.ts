import { type Database, sql } from '@causeway/db';

/** All states, always: a metric series that disappears would hide that its value fell to zero. */
const NONE = { staged: 0, failed: 0, skipped: 0, completed: 0, undone: 0, incomplete: 0, problems: 0, remarks: 0 };

/** How far the migration of one import supplier has come. */
export interface MigrationCounts {
  import_supplier: string;
  /** Account imports by state. */
  states: Readonly<Record<string, number>>;
  /** Those of the completed ones that have no open refusal. */
  complete: number;
  /** Kinds of problem that its accounts have now. */
  problems: number;
  /** Those of them that are remarks. */
  remarks: number;
}

/** How far each migration has come, the largest first; for the metrics. */
export async function countAccountImports(database: Database): Promise<MigrationCounts[]> {
  const counts = new Map<string, Record<string, number> & typeof NONE>();
  for (const { import_supplier, counted, count } of await database.query(COUNT_ACCOUNT_IMPORTS, {})) {
    const known: Record<string, number> & typeof NONE = counts.get(import_supplier) ?? { ...NONE };
    counts.set(import_supplier, { ...known, [counted]: (known[counted] ?? 0) + count });
  }
  const all = [...counts].map(([import_supplier, { incomplete, problems, remarks, ...states }]) => {
    return { import_supplier, states, complete: states.completed - incomplete, problems, remarks };
  });
  return all.sort((one, other) => sizeOf(other) - sizeOf(one));
}

function sizeOf({ states }: MigrationCounts): number {
  return Object.values(states).reduce((sum, count) => sum + count, 0);
}

/** Grouped in the order of an index. An import supplier without any account import has its row too. */
const COUNT_ACCOUNT_IMPORTS = sql('count-account-imports', {
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
  SELECT import_supplier_code, counted, count(*)::integer
  FROM import_problems
  CROSS JOIN unnest(ARRAY['problems', CASE WHEN NOT is_refusal THEN 'remarks' END]) AS counted
  WHERE accounts > 0 AND counted IS NOT NULL
  GROUP BY import_supplier_code, counted
  UNION ALL
  SELECT code, 'staged', 0
  FROM import_suppliers`;
