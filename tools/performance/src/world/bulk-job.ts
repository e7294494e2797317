import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { createBook, penceOf } from '../load/book.ts';
import type { Work } from './ledger.ts';
import { countCpu, freshPrefix, TODAY } from './measure-turn.ts';
import { IMPORT_SUPPLIER, OPERATIONS_TEAM } from './seed.ts';
import type { Target, World } from './world.ts';

/** A bulk job of so many lines; a cohort is what is staged. */
export interface BulkRequest {
  kind: 'STAGE' | 'MOVE' | 'PROCESS';
  run_mode?: 'REAL' | 'REHEARSAL';
  lines: number;
}

/** What a job took from its first chunk to the end of its last one. */
export interface MeasuredJob {
  /** Its accounts are `${prefix}${n}`, as those of a turn. */
  prefix: string;
  perSecond: number;
  /** Milliseconds of CPU time a line. */
  cpuMs: { system: number; postgres: number };
}

/** A job with all its lines, not started yet. */
export interface AddedJob {
  id: string;
  start(): Promise<void>;
  hasEnded(): Promise<boolean>;
  /** Waits for its end, and adds its rows to the ledger; throws unless every line is created. */
  ended(): Promise<MeasuredJob>;
}

const BODY_LINES = 100;
const LOOKED_AT_EVERY_MS = 20;

const bookOf = createBook({ importSupplier: IMPORT_SUPPLIER, today: TODAY });

/** The n-th account of the journey as a book has it: without its history if it is only staged. */
export function bookLine(prefix: string, index: number, withHistory: boolean): string {
  const account = bookOf(index);
  return withHistory ? account.bundle(`${prefix}${index}`) : account.account(`${prefix}${index}`);
}

const CREATE = `
  INSERT INTO bulk_jobs (id, import_supplier_code, kind, options, selection, created_by, created_at)
  SELECT $1, $2, $3::bulk_job_kind, $4, '{}', key.id, now()
  FROM api_keys AS key JOIN import_suppliers AS supplier USING (organisation_id)
  WHERE supplier.code = $2
  LIMIT 1`;

const ADD_BODY = `
  INSERT INTO bulk_bodies (job_id, number, lines, span, account_ids, body)
  SELECT $1, $2, $3, $3, array_agg(account_import_id($5, number) ORDER BY place), $4
  FROM unnest($6::text[]) WITH ORDINALITY AS line (number, place)`;

const START = `
  UPDATE bulk_jobs SET state = 'PLANNING', run = 1, run_mode = $2::bulk_run_mode, run_by = created_by, started_at = now()
  WHERE id = $1`;

const STATE = 'SELECT state FROM bulk_jobs WHERE id = $1';

const FIGURES = `
  SELECT
    sum(lines)::int AS lines,
    coalesce(sum((counts->>'created')::int), 0)::int AS created,
    extract(epoch FROM max(finished_at) - min(started_at))::float8 AS seconds
  FROM bulk_chunks WHERE job_id = $1`;

/** Lets the lanes of a target do a job. */
export async function measureJob(world: World, target: Target, request: BulkRequest): Promise<MeasuredJob> {
  const job = await addJob(world, target, request);
  await job.start();
  return job.ended();
}

/** A cohort has no lines of its own. */
export async function addJob(world: World, target: Target, request: BulkRequest): Promise<AddedJob> {
  const { kind, run_mode = 'REAL', lines } = request;
  const { postgres } = world;
  const id = randomUUID();
  const prefix = freshPrefix();
  const noLimits = { accounts_per_second: null, max_refused: null, max_refused_ratio: null };
  const asUsual = { check_previously_added: true, force_add_to_current_statement: true };
  const options = { operations_team_name: OPERATIONS_TEAM, parallelism: 2, ...noLimits, ...asUsual };
  await postgres.query(target.database, CREATE, [id, IMPORT_SUPPLIER, kind, JSON.stringify(options)]);
  if (kind !== 'PROCESS') {
    await addBodies(world, target, { id, lines, lineOf: (index) => bookLine(prefix, index, kind === 'MOVE') });
  }
  let spentSince = countCpu(world, target);
  const hasEnded = () => hasJobEnded(world, target, id);
  return {
    id,
    async start() {
      spentSince = countCpu(world, target);
      await postgres.query(target.database, START, [id, run_mode]);
    },
    hasEnded,
    async ended() {
      while (!(await hasEnded())) await delay(LOOKED_AT_EVERY_MS);
      const spent = spentSince();
      const seconds = await secondsOf(world, target, id);
      if (run_mode === 'REAL') noteRows(target, kind, lines);
      const each = (used: number) => (used * 1_000) / lines;
      return {
        prefix,
        perSecond: lines / seconds,
        cpuMs: { system: each(spent.system), postgres: each(spent.postgres) },
      };
    },
  };
}

/** Line by line, so that a book of any size can be added. */
async function addBodies(
  { postgres }: World,
  target: Target,
  { id, lines, lineOf }: { id: string; lines: number; lineOf: (index: number) => string },
): Promise<void> {
  for (let first = 0; first < lines; first += BODY_LINES) {
    const some = Array.from({ length: Math.min(BODY_LINES, lines - first) }, (_, place) => lineOf(first + place));
    const body = zstdCompressSync(some.map((account) => `{"account":${account}}\n`).join(''));
    const numbers = some.map((account) => JSON.parse(account).external_account_number);
    const values = [id, 1_000 + first, some.length, body, IMPORT_SUPPLIER, numbers];
    await postgres.query(target.database, ADD_BODY, values);
  }
}

async function hasJobEnded({ postgres }: World, { database }: Target, id: string): Promise<boolean> {
  const [job] = await postgres.query<{ state: string }>(database, STATE, [id]);
  if (job?.state === 'PAUSED') throw new Error('The job was paused');
  return job?.state === 'FINISHED' || job?.state === 'REHEARSED';
}

async function secondsOf({ postgres }: World, { database }: Target, id: string): Promise<number> {
  type Figures = { lines: number; created: number; seconds: number };
  const [figures] = await postgres.query<Figures>(database, FIGURES, [id]);
  if (figures === undefined) throw new Error('The job has no chunks');
  const { lines, created, seconds } = figures;
  if (created !== lines) throw new Error(`Of ${lines} lines ${created} were created`);
  return seconds;
}

/** What a line of such a job writes. */
const WORK = { STAGE: 'stage', MOVE: 'journey', PROCESS: 'process' } as const satisfies Record<string, Work>;

/** Notes what as many accounts of the book have written. */
export function noteRows({ ledger }: Target, kind: BulkRequest['kind'], accounts: number): void {
  let pence = 0;
  for (let index = 0; index < accounts; index += 1) pence += penceOf(index);
  ledger.add(WORK[kind], accounts, pence);
}
