import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { SCHEMA_FILE } from './migration-list.ts';

const CHAR_OID = 18;
const TEXT_OID = 25;

/** Where the engine works. */
export interface EngineSession {
  client: pg.Client;
  /** Hears of each failed statement: within a transaction the engine itself reports only that it was aborted. */
  onError?: (error: unknown) => void;
}

/** Nothing in the database is left to other tools. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

// Neither `esnext` nor Node's types declare it.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

// Where the engine reports a panic of its own, which otherwise ends in "unreachable".
const panicRegistry = {
  set_message: (message: string): never => {
    throw new Error(`Prisma's schema engine: ${message}`);
  },
};

type Engine = typeof SchemaEngine;

// What the package's own entry does, but without `import ... from '*.wasm'`, of which Node warns on stderr.
async function loadEngine(): Promise<Engine> {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const glueFile = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(path.join(path.dirname(glueFile), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': glue });
  if (!('PRISMA_WASM_PANIC_REGISTRY' in globalThis)) {
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panicRegistry });
  }
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return glue.SchemaEngine;
}

let loading: Promise<Engine> | undefined;

/** The adapter wants a pool: this one is a single session, so that all the engine does can be one transaction. */
function asPool({ client, onError }: EngineSession, characterColumns: WeakMap<unknown[], number[]>): pg.Pool {
  const query = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await client.query(config).catch((error: unknown) => {
      onError?.(error);
      throw error;
    });
    const positions = [...(result.fields ?? []).entries()].filter(([, field]) => field.dataTypeID === CHAR_OID);
    for (const [, field] of positions) field.dataTypeID = TEXT_OID;
    if (positions.length > 0)
      characterColumns.set(
        result.rows,
        positions.map(([position]) => position),
      );
    return result;
  };
  return Object.assign(new pg.Pool(), { query });
}

/**
 * Prisma's adapter with two gaps closed. It does not know the catalogue's type "char", which the engine meets on
 * PostgreSQL 18 in every table. And it cuts a script at each semicolon, also within a function: PostgreSQL takes it whole.
 */
async function connectAdapter(session: EngineSession): Promise<SqlDriverAdapter> {
  const characterColumns = new WeakMap<unknown[], number[]>();
  const adapter = await new PrismaPg(asPool(session, characterColumns)).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (query: SqlQuery): Promise<SqlResultSet> => {
      const result = await queryRaw(query);
      for (const position of characterColumns.get(result.rows) ?? []) {
        result.columnTypes[position] = ColumnTypeEnum.Character;
      }
      return result;
    },
    executeScript: async (sql: string): Promise<void> => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    },
  });
}

/** Prisma's schema engine (WebAssembly: nothing is downloaded) on one session; to be freed by `using` or `free()`. */
export async function openSchemaEngine(session: EngineSession): Promise<SchemaEngine> {
  loading ??= loadEngine();
  const engine = await loading;
  const connect = (): Promise<SqlDriverAdapter> => connectAdapter(session);
  const adapter = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect,
    connectToShadowDb: connect,
  });
  const datamodels: [string, string][] = [['schema.prisma', await readFile(SCHEMA_FILE, 'utf8')]];
  return engine.new({ datamodels }, () => undefined, adapter);
}
