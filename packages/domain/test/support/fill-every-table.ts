import type { Database } from '@causeway/db';

/** They have few rows, however much is imported. */
export const SMALL_TABLES = [
  ...['organisations', 'api_keys', 'import_suppliers', 'operations_teams', 'service_secrets', 'report_keys'],
  ...['email_pace', 'event_settings', 'refusal_settlements', 'email_templates', 'webhook_endpoints', 'manifests'],
  ...['reconciliations', 'bulk_jobs', 'bulk_folds', 'rate_limits', '_prisma_migrations'],
  'meter_point_cursors',
];

/** One of them has nine of ten rows, hundreds of others the rest: a plan for all values expects a few rows of each. */
const OWNER =
  /^(import_supplier_code|organisation_id|job_id|manifest_id|reconciliation_id|webhook_endpoint_id|created_by)$/;
const SKEWED = '(CASE WHEN n % 10 > 0 THEN 0 ELSE n % 500 END)';
const NAME_OF_FEW = /^(type|operation|subject|action|actor|language|reported|position|attempts|round)$/;

interface Column {
  table: string;
  name: string;
  type: string;
  labels: string[] | null;
  required: boolean;
}

const COLUMNS = `
  SELECT relname AS table, attname AS name, format_type(atttypid, NULL) AS type, attnotnull AS required,
    (SELECT array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = atttypid) AS labels
  FROM pg_class
  JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT starts_with(relname, '_')`;

// The plans depend on how many rows there are of what, and not on whether they make sense.
const WITHOUT_CHECKS = `
  SET session_replication_role = replica;
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT conname, conrelid::regclass AS child FROM pg_constraint
      WHERE contype = 'c' AND connamespace = 'public'::regnamespace
    LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.child, found.conname);
    END LOOP;
  END $$`;

/** So many rows in each table that grows, made up and analysed. */
export async function fillEveryTable({ pool }: Database, rows: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(WITHOUT_CHECKS);
    const columns = (await client.query<Column>(COLUMNS)).rows;
    for (const [table, ofTable] of Map.groupBy(columns, (column) => column.table)) {
      const names = ofTable.map(({ name }) => name).join(', ');
      const count = SMALL_TABLES.includes(table) ? Math.min(rows, 500) : rows;
      await client.query(`INSERT INTO ${table} (${names}) SELECT ${ofTable.map(sqlOf).join(', ')}
        FROM generate_series(1, ${count}) AS n ON CONFLICT DO NOTHING`);
    }
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release(true);
  }
}

function sqlOf({ name, type, labels, required }: Column): string {
  const n = OWNER.test(name) ? SKEWED : NAME_OF_FEW.test(name) ? '(n % 4)' : 'n';
  const value = labels === null ? textOf(type, n) : `(ARRAY['${labels.join("','")}'])[1 + n % ${labels.length}]`;
  return required ? `(${value})::${type}` : `CASE WHEN n % 3 > 0 THEN (${value})::${type} END`;
}

function textOf(type: string, n: string): string {
  if (type.endsWith('[]')) return `'{}'`;
  if (type === 'uuid') return `md5('u' || ${n})`;
  if (type === 'bytea') return `sha256(int4send((${n})::integer))`;
  if (type === 'boolean') return 'n % 2 = 0';
  if (type.startsWith('json')) return `'{}'`;
  if (type.startsWith('timestamp')) return `now() - n * interval '1 second'`;
  if (type === 'date') return 'current_date - n % 1000';
  if (type.startsWith('char')) return `'GB'`;
  return type === 'text' ? `'S' || ${n}` : `${n} % 30000`;
}
