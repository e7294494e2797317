import { readFile } from 'node:fs/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { SCHEMA_FILE } from './migration-list.ts';

const CHAR_OID = 18;
const UUID_OID = 2950;

/** The adapter requires a pool: this one is a single session. */
function asPool(client: pg.Client): pg.Pool {
  const query = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await client.query(config);
    for (const field of result.fields ?? []) {
      if (field.dataTypeID === CHAR_OID) field.dataTypeID = UUID_OID;
    }
    return result;
  };
  return Object.assign(new pg.Pool(), { query });
}

/**
 * Prisma's adapter does not know the catalogue's type "char", which the engine finds in every table on PostgreSQL 18.
 * The adapter gets a UUID instead, a type that the catalogue does not use, and the engine gets the real type back.
 */
async function connectAdapter(client: pg.Client): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(asPool(client)).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const { Uuid, Character } = ColumnTypeEnum;
    return { ...result, columnTypes: result.columnTypes.map((type) => (type === Uuid ? Character : type)) };
  };
  return adapter;
}

/**
 * Prisma's schema engine (WebAssembly: nothing is downloaded) on one session, for developers and tests only; release it
 * with `using` or `free()`.
 */
export async function openSchemaEngine(client: pg.Client): Promise<SchemaEngine> {
  const connect = (): Promise<SqlDriverAdapter> => connectAdapter(client);
  const adapter = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect,
    connectToShadowDb: connect,
  });
  const datamodels: [string, string][] = [['schema.prisma', await readFile(SCHEMA_FILE, 'utf8')]];
  return SchemaEngine.new({ datamodels }, () => undefined, adapter);
}

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
