import { afterAll, expect, test } from 'vitest';
import { lineOf, linesOf } from './lines.ts';
import { startBooks } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, createSupplier, startJob, workOn, jobOf, countsOf, resultsOf, rehearsed } = books;

const JOB_TABLES = [
  'bulk_jobs',
  'bulk_parts',
  'bulk_bodies',
  'bulk_chunks',
  'bulk_folds',
  'bulk_problems',
  '_prisma_migrations',
];

/** What is recorded of a job itself, beside the tables of jobs. */
const NOT_OF_JOBS: Record<string, string> = {
  audit_events: `WHERE subject <> 'bulk_job'`,
  events: `WHERE type NOT LIKE 'bulk_job.%'`,
};

/** Every row of every table but those of jobs, and of jobs themselves. */
async function storedRows(): Promise<Record<string, unknown[]>> {
  const tables = await owner.pool.query(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1`,
    [JOB_TABLES],
  );
  const stored: Record<string, unknown[]> = {};
  for (const { tablename } of tables.rows) {
    const where = NOT_OF_JOBS[tablename] ?? '';
    const { rows } = await owner.pool.query(`SELECT to_jsonb(t) AS row FROM ${tablename} AS t ${where} ORDER BY 1`);
    stored[tablename] = rows.map(({ row }) => row);
  }
  return stored;
}

test('21.5.4 fields of invented names are counted together beyond 20 of a chunk, and hide no other problem', async () => {
  const code = await createSupplier();
  const invented = (line: number) =>
    Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`invented${line}x${index}`, 1]));
  const lines = [1, 2, 3].map((line) => lineOf(code, `ACC-${line}`, invented(line)));
  const id = await startJob(code, {
    lines: [...lines, lineOf(code, 'BAD', { account_type: 'CASTLE' })],
    run_mode: 'REHEARSAL',
  });
  await workOn(id);
  const { problems } = (await jobOf(id)).report;
  const fields = problems.filter(({ code: problem }) => problem === 'undocumented_field');
  expect(fields).toHaveLength(21);
  expect(fields).toContainEqual(expect.objectContaining({ attr: '…', accounts: 3, refused: false }));
  expect(problems).toContainEqual(expect.objectContaining({ code: 'invalid_choice', accounts: 1 }));
});

test('21.9.2 a rehearsal ends even if its problems cannot be added up, and its report says so', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 2), run_mode: 'REHEARSAL', together: 1 });
  const beyondAnInteger = [{ step: 'validate', code: 'invalid', attr: 'notes', accounts: 2_000_000_000, samples: [] }];
  await owner.pool.query(
    `WITH job AS (UPDATE bulk_jobs SET state = 'RUNNING', lines = 2 WHERE id = $1)
     INSERT INTO bulk_chunks (job_id, run, number, first_line, lines, cursor, done, finished_at, counts, clusters)
     SELECT $1, 1, number, number, 1, 1, true, now(), '{"refused": 1}', $2::jsonb
     FROM generate_series(1, 2) AS number`,
    [id, JSON.stringify(beyondAnInteger)],
  );
  const logged: string[] = [];
  const log = (_level: string, event: string) => logged.push(event);
  await workOn(id, { report: { log, countLines: () => undefined, countChunk: () => undefined } });
  const { state, report } = await jobOf(id);
  expect(state).toBe('REHEARSED');
  expect(report).toMatchObject({ counts: { refused: 2 }, problems: [] });
  expect(report.not_covered).toContainEqual(expect.stringContaining('could not be added up'));
  expect(logged).toContain('bulk_report_incomplete');
});

test('21.9.1 a rehearsal leaves every table as it was, and its outcome for every line is that of the real run', async () => {
  const code = await createSupplier();
  await workOn(await startJob(code, { lines: linesOf(code, 1) }));
  const lines = [
    lineOf(code, 'ACC-1'),
    lineOf(code, 'ACC-2', { account_type: 'CASTLE' }),
    lineOf(code, 'ACC-3'),
    lineOf(code, 'ACC-3'),
    { external_account_number: 'ACC-1', notes: [{ body: 'One more' }] },
    { external_account_number: 'nobody', notes: [{ body: 'For nobody' }] },
    ...linesOf(code, 9).slice(3),
    'no JSON',
  ];
  const before = await storedRows();
  const id = await startJob(code, { lines, run_mode: 'REHEARSAL' });
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'REHEARSED', lines: lines.length });
  expect(await storedRows()).toEqual(before);
  const { report } = await jobOf(id);
  expect(report).toMatchObject({
    counts: { created: 7, unchanged: 1, refused: 5, waiting: 0 },
    sums: { notes: 7, transactions: { PAYMENT: { count: 7, amount: '86.38' } }, account_types: { DOMESTIC: 7 } },
    durations: [{ parallelism: 1 }, { parallelism: 2 }, { parallelism: 4 }],
    accounts_changed_since: 0,
  });
  expect(report.problems).toContainEqual({
    ...{
      operation: 'validate',
      refused: true,
      code: 'invalid_choice',
      attr: 'account_type',
      description: expect.any(String),
    },
    ...{ accounts: 1, sample_account_numbers: ['ACC-2'] },
  });
  const foreseen = await resultsOf(id);
  const counts = await countsOf(id);
  await rehearsed(id);
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'FINISHED', run: 2 });
  expect(await countsOf(id)).toEqual(counts);
  const results = await resultsOf(id);
  expect([...results.keys()]).toEqual([...foreseen.keys()]);
  for (const [line, result] of results) {
    const foreseenResult = foreseen.get(line) ?? {};
    if (result.outcome === 'created') expect(foreseenResult).not.toHaveProperty('service_account_number');
    expect(result).toMatchObject(foreseenResult);
  }
});
