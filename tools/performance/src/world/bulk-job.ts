import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { createBook, JOURNEY_TRANSACTIONS, penceOf } from '../load/book.ts';
import type { ScenarioName } from '../load/turn.ts';
import { freshPrefix, TODAY } from './measure-turn.ts';
import { cpuSeconds, familyCpuSeconds } from './processes.ts';
import { IMPORT_SUPPLIER, OPERATIONS_TEAM } from './seed.ts';
import type { Target, World } from './world.ts';

/** A bulk job of so many lines; a cohort is what is staged. */
export interface BulkRequest {
  kind: 'STAGE' | 'MOVE' | 'PROCESS';
  run_mode?: 'REAL' | 'REHEARSAL';
  lines: number;
  parallelism?: number;
}

/** What a job took from its first chunk to the end of its last one. */
export interface MeasuredJob {
  perSecond: number;
  /** Milliseconds of CPU time a line. */
  cpuMs: { system: number; postgres: number };
}

const BODY_LINES = 100;
const LOOKED_AT_EVERY_MS = 20;

const bookOf = createBook({ importSupplier: IMPORT_SUPPLIER, today: TODAY, transactions: JOURNEY_TRANSACTIONS });

/** The accounts of the journey as a book has them: without their histories if they are only staged. */
export function bookLines(lines: number, withHistory: boolean): string[] {
  const prefix = freshPrefix();
  return Array.from({ length: lines }, (_, index) => {
    const account = bookOf(index);
    return withHistory ? account.bundle(`${prefix}${index}`) : account.account(`${prefix}${index}`);
  });
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
  UPDATE bulk_jobs SET state = 'PLANNING', run = 1, run_mode = $2::bulk_run_mode, started_at = now()
  WHERE id = $1`;

const SECONDS = `
  SELECT extract(epoch FROM max(finished_at) - min(started_at))::float8 AS seconds
  FROM bulk_chunks WHERE job_id = $1`;

/** Lets the lanes of a target do a job, and adds its rows to the ledger; throws unless every line is created. */
export async function measureJob(world: World, target: Target, request: BulkRequest): Promise<MeasuredJob> {
  const { kind, run_mode = 'REAL', lines, parallelism = 2 } = request;
  const { postgres } = world;
  const id = randomUUID();
  const noLimits = { accounts_per_second: null, max_refused: null, max_refused_ratio: null };
  const asUsual = { check_previously_added: true, force_add_to_current_statement: true };
  const options = { operations_team_name: OPERATIONS_TEAM, parallelism, ...noLimits, ...asUsual };
  await postgres.query(target.database, CREATE, [id, IMPORT_SUPPLIER, kind, JSON.stringify(options)]);
  if (kind !== 'PROCESS') await addBodies(world, target, { id, lines: bookLines(lines, kind === 'MOVE') });
  const used = () => ({
    system: target.instances.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    postgres: familyCpuSeconds(postgres.pid),
  });
  const before = used();
  await postgres.query(target.database, START, [id, run_mode]);
  await untilEnded(world, target, id);
  const after = used();
  const [chunks] = await postgres.query<{ seconds: number }>(target.database, SECONDS, [id]);
  if (run_mode === 'REAL') noteRows(target, kind, lines);
  const each = (seconds: number) => (seconds * 1_000) / lines;
  return {
    perSecond: lines / (chunks?.seconds ?? Number.NaN),
    cpuMs: { system: each(after.system - before.system), postgres: each(after.postgres - before.postgres) },
  };
}

async function addBodies({ postgres }: World, target: Target, { id, lines }: { id: string; lines: string[] }) {
  for (let first = 0; first < lines.length; first += BODY_LINES) {
    const some = lines.slice(first, first + BODY_LINES);
    const body = zstdCompressSync(some.map((account) => `{"account":${account}}\n`).join(''));
    const numbers = some.map((account) => JSON.parse(account).external_account_number);
    const values = [id, 1_000 + first, some.length, body, IMPORT_SUPPLIER, numbers];
    await postgres.query(target.database, ADD_BODY, values);
  }
}

async function untilEnded({ postgres }: World, { database }: Target, id: string): Promise<void> {
  for (;;) {
    const [job] = await postgres.query<{ state: string; created: number; lines: number }>(
      database,
      `SELECT state, lines, (
         SELECT coalesce(sum((counts->>'created')::int), 0)::int FROM bulk_chunks WHERE job_id = id
       ) AS created FROM bulk_jobs WHERE id = $1`,
      [id],
    );
    if (job?.state === 'FINISHED' || job?.state === 'REHEARSED') {
      if (job.created === job.lines) return;
      throw new Error(`Of ${job.lines} lines ${job.created} were created`);
    }
    if (job?.state === 'PAUSED') throw new Error('The job was paused');
    await delay(LOOKED_AT_EVERY_MS);
  }
}

const ROWS_OF: Record<BulkRequest['kind'], ScenarioName> = { STAGE: 'stage', MOVE: 'bundle', PROCESS: 'process' };

function noteRows({ ledger }: Target, kind: BulkRequest['kind'], lines: number): void {
  const perAccount = JOURNEY_TRANSACTIONS;
  const indexes = Array.from({ length: lines }, (_, index) => index);
  const pence = kind === 'MOVE' ? indexes.reduce((sum, index) => sum + penceOf(index, perAccount), 0) : 0;
  ledger.add(ROWS_OF[kind], lines, { perAccount, pence });
}
