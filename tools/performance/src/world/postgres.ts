import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@causeway/embedded-postgres';
import pg from 'pg';

/** The PostgreSQL server of a run, in a temporary folder, with the settings of the product: fsync is on. */
export interface Postgres {
  directory: string;
  /** The server's first process; the others are its children. */
  pid: number;
  urlOf(database: string): string;
  /** A new database, a copy of `template` if present. */
  createDatabase(name: string, template?: string): Promise<string>;
  query<Row extends pg.QueryResultRow>(database: string, text: string, values?: unknown[]): Promise<Row[]>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

// Complete statements are read from pg_stat_activity, to explain their plans.
const SETTINGS = { track_activity_query_size: '32768' };

export async function startPostgres(): Promise<Postgres> {
  const directory = await mkdtemp(path.join(tmpdir(), `causeway-bench-${process.pid}-`));
  const server = await startEmbeddedPostgres({ dataDirectory: directory, settings: SETTINGS });
  const urlOf = (database: string) => {
    const url = new URL(server.url);
    url.pathname = `/${database}`;
    return url.href;
  };
  const clients = new Map<string, pg.Client>();
  const clientOf = async (database: string) => {
    const known = clients.get(database);
    if (known !== undefined) return known;
    const client = new pg.Client({ connectionString: urlOf(database), application_name: 'bench' });
    clients.set(database, client);
    await client.connect();
    return client;
  };
  const query: Postgres['query'] = async <Row extends pg.QueryResultRow>(
    database: string,
    text: string,
    values: unknown[] = [],
  ) => (await (await clientOf(database)).query<Row>(text, values)).rows;
  return {
    directory,
    pid: Number(readFileSync(path.join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
    urlOf,
    query,
    async createDatabase(name, template = 'template1') {
      // A template must have no connections, including ours.
      await clients.get(template)?.end();
      clients.delete(template);
      await query('postgres', `CREATE DATABASE ${name} TEMPLATE ${template}`);
      return urlOf(name);
    },
    async stop() {
      for (const client of clients.values()) await client.end();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
