import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { accountNumberOf } from '@causeway/book';
import { type BulkReport, CreateImportSupplierRequest } from '@causeway/contracts';
import { type Database, type DatabaseOptions, openDatabase } from '@causeway/db';
import {
  accountImportId,
  type BulkDependencies,
  createImportSupplier,
  createOperationsTeam,
  createOrganisation,
  issueApiKey,
} from '@causeway/domain';
import { createTestDatabase } from '@causeway/testing';
import { type RunnerOptions, startRunner } from '../src/index.ts';
import { contextOf, NOW } from './context-of.ts';

export const TEAM = 'Migration support';
const NO_REPORT = { log: () => undefined, countLines: () => undefined, countChunk: () => undefined };
const BODY_LINES = 4;

/** A line of a book as it is sent. */
export type SentLine = Record<string, unknown> | string;

/** A job as a test creates it. */
export interface TestJob {
  kind?: 'STAGE' | 'MOVE' | 'PROCESS';
  run_mode?: 'REAL' | 'REHEARSAL';
  options?: Record<string, unknown>;
  lines?: readonly SentLine[];
  /** Lines of a body. */
  together?: number;
}

/** A database with an organisation, whose jobs are put into the tables as an upload puts them there. */
export async function startBooks(options: Partial<DatabaseOptions> = {}) {
  const { database, owner, url, drop } = await createTestDatabase({ poolSize: 8, ...options });
  const staff = contextOf(database);
  const { id: organisation_id } = await createOrganisation(staff, { name: 'Northwind' });
  await createOperationsTeam(staff, { name: TEAM });
  const { id: created_by } = await issueApiKey(staff, { organisation_id, label: 'bulk' });
  let suppliers = 0;

  return {
    database,
    owner,
    url,
    staff,
    created_by,
    drop,
    dependencies: { ...staff, maxLineBytes: 1_000_000, startedAt: NOW } satisfies BulkDependencies,
    /** A clock that is further on each time it is read: what is put off is due. */
    quickClock() {
      let now = staff.clock().getTime();
      return () => {
        now += 5_000;
        return new Date(now);
      };
    },
    async createSupplier(fields: Record<string, unknown> = {}): Promise<string> {
      suppliers += 1;
      const code = `S-${suppliers}`;
      const request = CreateImportSupplierRequest.parse({ code, name: code, organisation_id, ...fields });
      await createImportSupplier(staff, request);
      return code;
    },
    /** A job that was started: it is planned by anyone who comes. */
    async startJob(code: string, job: TestJob = {}): Promise<string> {
      const { kind = 'MOVE', run_mode = 'REAL', lines = [], together = BODY_LINES } = job;
      const id = randomUUID();
      const asked = {
        ...{ operations_team_name: TEAM, parallelism: 2, accounts_per_second: null, max_refused: null },
        ...{ max_refused_ratio: null, check_previously_added: true, force_add_to_current_statement: true },
        ...job.options,
      };
      await owner.pool.query(
        `INSERT INTO bulk_jobs (id, import_supplier_code, kind, options, selection, state, run, run_mode, created_by,
           run_by, created_at, started_at)
         VALUES ($1, $2, $3, $4, '{}', 'PLANNING', 1, $5, $6, $6, $7, $7)`,
        [id, code, kind, JSON.stringify(asked), run_mode, created_by, NOW],
      );
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
      for (let first = 0; first < texts.length; first += together) {
        await putBody(owner, { id, code, number: 1_000 + first }, texts.slice(first, first + together));
      }
      return id;
    },
    async rehearsed(id: string): Promise<void> {
      await owner.pool.query(
        `UPDATE bulk_jobs SET state = 'PLANNING', run = run + 1, run_mode = 'REAL' WHERE id = $1 AND state = 'REHEARSED'`,
        [id],
      );
    },
    async jobOf(id: string) {
      const { rows } = await owner.pool.query('SELECT * FROM bulk_jobs WHERE id = $1', [id]);
      return rows[0] as { state: string; state_reason: string | null; lines: number; run: number; report: BulkReport };
    },
    /** What happened to each line, by its number. */
    async resultsOf(id: string): Promise<Map<number, Record<string, unknown>>> {
      return new Map((await filesOf(owner, id, 'results')).map((result) => [result.line as number, result]));
    },
    failedRowsOf: (id: string) => filesOf(owner, id, 'refused_lines'),
    async countsOf(id: string): Promise<Record<string, number>> {
      const { rows } = await owner.pool.query(
        `SELECT key, sum(value::int)::int AS count FROM bulk_chunks AS chunk, jsonb_each_text(counts)
         WHERE job_id = $1 AND run = (SELECT run FROM bulk_jobs WHERE id = $1) GROUP BY key ORDER BY key`,
        [id],
      );
      return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
    },
    /** Works until nobody has to work on the job any more; `meanwhile` is done again and again. */
    workOn: (id: string, runner: Partial<RunnerOptions> = {}, meanwhile?: () => Promise<unknown>) =>
      working(runner, () => untilState({ owner, id, meanwhile }, RESTING)),
    /** Works until the job has this state. */
    workUntil: (id: string, state: string, runner: Partial<RunnerOptions> = {}) =>
      working(runner, () => untilState({ owner, id }, [state])),
  };

  async function working(runner: Partial<RunnerOptions>, until: () => Promise<void>): Promise<void> {
    const own = openDatabase({ url, poolSize: 4, statementTimeoutMs: 60_000 });
    const dependencies = {
      ...(runner.dependencies ?? { ...contextOf(own), maxLineBytes: 1_000_000, startedAt: NOW }),
      database: own,
    };
    const { stop } = startRunner({ lanes: 2, report: NO_REPORT, ...runner, dependencies });
    try {
      await until();
    } finally {
      await stop();
      await own.close();
    }
  }
}

async function putBody(
  owner: Database,
  { id, code, number }: { id: string; code: string; number: number },
  texts: readonly string[],
): Promise<void> {
  const numbers = texts.map((text) => accountNumberOf(Buffer.from(text), 1_000_000));
  const ids = numbers.map((each) => (each === undefined ? null : accountImportId(code, each)));
  const body = zstdCompressSync(texts.map((text) => `${text}\n`).join(''));
  await owner.pool.query(
    'INSERT INTO bulk_bodies (job_id, number, lines, span, account_ids, body) VALUES ($1, $2, $3, $3, $4, $5)',
    [id, number, texts.length, ids, body],
  );
}

async function filesOf(owner: Database, id: string, column: string): Promise<Record<string, unknown>[]> {
  const { rows } = await owner.pool.query(
    `SELECT ${column} AS file FROM bulk_chunks
     WHERE job_id = $1 AND run = (SELECT run FROM bulk_jobs WHERE id = $1) AND ${column} IS NOT NULL ORDER BY number`,
    [id],
  );
  const text = rows.map(({ file }) => zstdDecompressSync(file).toString()).join('');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The states in which nobody works on a job. */
const RESTING = ['PAUSED', 'REHEARSED', 'FINISHED', 'CANCELLED'];

interface Awaited {
  owner: Database;
  id: string;
  meanwhile?: (() => Promise<unknown>) | undefined;
}

async function untilState({ owner, id, meanwhile }: Awaited, states: readonly string[]): Promise<void> {
  for (;;) {
    await meanwhile?.();
    const { rows } = await owner.pool.query('SELECT state FROM bulk_jobs WHERE id = $1', [id]);
    if (states.includes(rows[0].state)) return;
    await delay(20);
  }
}
