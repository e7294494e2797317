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
