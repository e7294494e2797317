import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { SCHEMA_FILE } from './migration-list.ts';
import { openSchemaEngine } from './schema-engine.ts';

// The foreign keys that two triggers hold (docs/constraints.md), written as the engine writes what it takes to be missing.
const KEYS_BY_TRIGGER = `
  SELECT format(
    E'-- AddForeignKey\\nALTER TABLE "%1$s" ADD CONSTRAINT "%1$s_account_import_id_fkey" FOREIGN KEY ("account_import_id") '
    'REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;', relname) AS key
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE tgfoid = to_regproc('require_account') AND tgenabled = 'O'
  GROUP BY relname HAVING array_agg(tgname::text ORDER BY tgname)
    = ARRAY[relname || '_account_import_id_fkey', relname || '_account_import_id_fkey_of_update']`;

async function withoutKeysByTrigger(client: pg.Client, script: string): Promise<string> {
  const { rows } = await client.query<{ key: string }>(KEYS_BY_TRIGGER);
  const rest = (left: string, { key }: { key: string }) =>
    left.includes(key) ? left.replace(key, '') : `${left}\n-- schema.prisma lacks this:\n${key}`;
  return rows.reduce(rest, script).trim();
}

/** The SQL that brings a database to the state of schema.prisma; undefined if it is already in that state. */
export async function schemaDifference(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    using engine = await openSchemaEngine(client);
    const files = [{ path: SCHEMA_FILE, content: await readFile(SCHEMA_FILE, 'utf8') }];
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    const differing = await withoutKeysByTrigger(client, exitCode === 0 ? '' : (stdout ?? ''));
    return differing === '' ? undefined : differing;
  } finally {
    await client.end();
  }
}
