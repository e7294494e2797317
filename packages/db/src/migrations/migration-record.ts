import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';

// The record of applied migrations, in Prisma's table and form, so that its tools can read it. They take the order of the
// migrations from `started_at`.

const CREATE_RECORD = `
  CREATE TABLE _prisma_migrations (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

// spatial_ref_sys comes with PostGIS, even in an otherwise empty database.
const FIND_TABLES = `
  SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "hasRecord", EXISTS (
    SELECT FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname <> 'spatial_ref_sys'
  ) AS "hasTables"`;

const FIND_UNFINISHED = `
  SELECT migration_name AS name, started_at::text AS "startedAt", logs FROM _prisma_migrations
  WHERE finished_at IS NULL AND rolled_back_at IS NULL ORDER BY started_at LIMIT 1`;

const START = `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())`;

const FINISH = `
  UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1`;

interface Unfinished {
  name: string;
  startedAt: string;
  logs: string | null;
}

/**
 * Creates the record if the database is empty.
 *
 * @throws if the tables belong to another application, or if a tool without transactions has left a migration
 *   unfinished
 */
export async function openRecord(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ hasRecord: boolean; hasTables: boolean }>(FIND_TABLES);
  if (rows[0]?.hasRecord !== true) {
    if (rows[0]?.hasTables === true) {
      throw new Error(
        'it has tables and no _prisma_migrations that tells of them. Use an empty database, or restore it',
      );
    }
    await client.query(CREATE_RECORD);
    return;
  }
  const [unfinished] = (await client.query<Unfinished>(FIND_UNFINISHED)).rows;
  if (unfinished === undefined) return;
  const { name, startedAt, logs } = unfinished;
  throw new Error(
    `migration ${name} was begun at ${startedAt} and has not finished${logs ? ` (${logs.trim()})` : ''}. ` +
      'Undo what it left and set rolled_back_at of its row in _prisma_migrations, or complete it and set finished_at',
  );
}

interface Migration {
  name: string;
  script: string;
  /** The database has what it makes. */
  isDone: boolean;
}

/** Runs a migration's script whole, as one simple query, unless it is done, and records it. */
export async function record(client: pg.Client, { name, script, isDone }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query(START, [id, createHash('sha256').update(script).digest('hex'), name]);
  if (!isDone) await client.query(script);
  await client.query(FINISH, [id]);
}
