import { createTestDatabase } from '@causeway/testing';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { issueStaffApiKey } from '../../src/api-keys/api-keys.ts';
import { foldChunks } from '../../src/bulk/chunks/fold-chunks.ts';
import { createBulkJob } from '../../src/bulk/jobs/create-bulk-job.ts';
import { getBulkJob } from '../../src/bulk/jobs/get-bulk-job.ts';
import { planBulkJob } from '../../src/bulk/jobs/plan-bulk-job.ts';
import { listBulkProblems } from '../../src/bulk/jobs/read-problems.ts';
import { createSupplier } from '../support/create-supplier.ts';
import { staffContext } from '../support/staff-context.ts';

const { database, owner, drop } = await createTestDatabase({ poolSize: 6 });
afterAll(drop);

const setUp = staffContext(database);
const { id: apiKeyId } = await issueStaffApiKey(setUp, { label: 'staff' } as never);
await createSupplier(setUp, 'NW-1');
const context = staffContext(database, { actor: { kind: 'staff', apiKeyId } });

interface TestChunk {
  number: number;
  lines: number;
  counts: Record<string, number>;
  sums: Record<string, unknown>;
  clusters: { step: string; code: string; attr: string; accounts: number; samples: string[]; warning?: true }[];
}

const pennies = fc.integer({ min: 0, max: 99_999_999_999_999 });
const moneyOf = (amount: number | bigint) =>
  `${BigInt(amount) / 100n}.${String(BigInt(amount) % 100n).padStart(2, '0')}`;
const cluster = fc.record({
  step: fc.constantFrom('validate', 'stage'),
  code: fc.constantFrom('required', 'invalid_date', 'undocumented_field'),
  attr: fc.constantFrom('', 'customers.*.landline', 'notes.*.body', 'colour'),
  accounts: fc.integer({ min: 1, max: 100 }),
  samples: fc.array(fc.constantFrom('A-1', 'A-2', 'A-3'), { maxLength: 3 }),
});
const chunk = fc
  .record({
    created: fc.nat(50),
    refused: fc.nat(50),
    credit: fc.option(pennies, { nil: undefined }),
    debit: fc.option(pennies, { nil: undefined }),
    charges: fc.option(pennies, { nil: undefined }),
    gross: fc.option(pennies, { nil: undefined }),
    notes: fc.nat(9),
    clusters: fc.uniqueArray(cluster, { maxLength: 4, selector: ({ step, code, attr }) => `${step} ${code} ${attr}` }),
  })
  .map(
    ({ created, refused, credit, debit, charges, gross, notes, clusters }): Omit<TestChunk, 'number'> => ({
      lines: created + refused + 1,
      counts: { created, refused, unchanged: 1 },
      sums: {
        ...(credit !== undefined && { transfer_balance_credit: moneyOf(credit) }),
        ...(debit !== undefined && { transfer_balance_debit: `-${moneyOf(debit)}` }),
        ...(charges !== undefined && { transactions: { CHARGE: { count: 2, amount: moneyOf(charges) } } }),
        ...(gross !== undefined && { statements: { count: 1, gross: moneyOf(gross) } }),
        ...(notes > 0 && { notes, customers: notes, supply_points: notes }),
        account_types: { DOMESTIC: created },
      },
      clusters,
    }),
  );

const NO_OPTIONS = { parallelism: 1, accounts_per_second: null, max_refused: null, max_refused_ratio: null };

/** A RUNNING job whose chunks wait. */
async function startJob(lines: number): Promise<string> {
  const options = { ...NO_OPTIONS, check_previously_added: true, force_add_to_current_statement: true };
  const { id } = await createBulkJob(context, { import_supplier: 'NW-1', kind: 'STAGE', options });
  await owner.pool.query(
    `UPDATE bulk_jobs SET state = 'RUNNING', run = 1, run_mode = 'REAL', started_at = created_at, lines = $2 WHERE id = $1`,
    [id, lines],
  );
  return id;
}

async function addDone(id: string, chunks: readonly TestChunk[]): Promise<void> {
  await owner.pool.query(
    `INSERT INTO bulk_chunks (job_id, run, number, first_line, lines, cursor, done, started_at, finished_at, counts, sums,
       clusters)
     SELECT $1, 1, number, number * 1000 + 1, lines, lines, true, now(), now(), counts, sums, clusters
     FROM jsonb_to_recordset($2) AS chunk (number integer, lines integer, counts jsonb, sums jsonb, clusters jsonb)`,
    [id, JSON.stringify(chunks)],
  );
}

/** A fold whose instance dies before it has committed. */
async function foldKilled(id: string): Promise<void> {
  await database
    .transaction(async (transaction) => {
      await foldChunks(transaction as never, { id, run: 1 });
      throw new Error('killed');
    })
    .catch(() => undefined);
}

function expectedOf(chunks: readonly TestChunk[]) {
  const total = (pick: (each: TestChunk) => number | undefined) =>
    chunks.reduce((sum, each) => sum + (pick(each) ?? 0), 0);
  // biome-ignore lint/suspicious/noExplicitAny: figures of every shape
  const money = (pick: (sums: any) => string | undefined) =>
    moneyOf(chunks.reduce((sum, { sums }) => sum + BigInt((pick(sums) ?? '0.00').replace('.', '')), 0n));
  const debits = money(({ transfer_balance_debit }) => transfer_balance_debit?.slice(1));
  const notes = total(({ sums }) => sums.notes as number | undefined);
  const problems = new Map<string, number>();
  for (const { step, code, attr, accounts } of chunks.flatMap(({ clusters }) => clusters)) {
    const key = `${step} ${code} ${attr}`;
    problems.set(key, (problems.get(key) ?? 0) + accounts);
  }
  const charges = chunks.filter(({ sums }) => 'transactions' in sums).length * 2;
  return {
    counts: {
      created: total(({ counts }) => counts.created),
      refused: total(({ counts }) => counts.refused),
      unchanged: chunks.length,
    },
    sums: {
      transfer_balance_credit: money(({ transfer_balance_credit }) => transfer_balance_credit),
      transfer_balance_debit: debits === '0.00' ? debits : `-${debits}`,
      transactions:
        charges === 0
          ? {}
          : { CHARGE: { count: charges, amount: money(({ transactions }) => transactions?.CHARGE.amount) } },
      statements: {
        count: total(({ sums }) => Number('statements' in sums)),
        gross: money(({ statements }) => statements?.gross),
      },
      ...{ notes, customers: notes, supply_points: notes },
    },
    problems,
  };
}

async function readAll(id: string) {
  const { counts, sums } = await getBulkJob(context, { job_id: id });
  const problems = await listBulkProblems(context, { job_id: id });
  return {
    ...{ counts, sums },
    problems: new Map(
      problems.map(({ operation, code, attr, accounts }) => [`${operation} ${code} ${attr}`, accounts]),
    ),
  };
}

test('21.5.2 chunks are counted once, exactly, whenever they are folded, by however many, no matter who is killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk, { minLength: 1, maxLength: 8 }),
      fc.array(fc.record({ chunks: fc.integer({ min: 0, max: 260 }), folds: fc.nat(3), kills: fc.nat(1) }), {
        minLength: 1,
        maxLength: 4,
      }),
      async (kinds, phases) => {
        const id = await startJob(10_000_000);
        const done: TestChunk[] = [];
        for (const { chunks, folds, kills } of phases) {
          const added = Array.from({ length: chunks }, (_, index) => {
            const number = done.length + index;
            return { ...kinds[number % kinds.length], number } as TestChunk;
          });
          done.push(...added);
          await addDone(id, added);
          const expected = expectedOf(done);
          const folding = Array.from({ length: folds }, () => foldChunks(database, { id, run: 1 }));
          const killed = Array.from({ length: kills }, () => foldKilled(id));
          // While it is folded and afterwards.
          for (const _reading of ['meanwhile', 'then']) {
            const read = await readAll(id);
            expect(read).toMatchObject({ counts: expected.counts, sums: expected.sums });
            expect(read.problems).toEqual(expected.problems);
            await Promise.all([...folding, ...killed]);
          }
        }
        const lines = done.reduce((sum, each) => sum + each.lines, 0);
        const { counts } = await readAll(id);
        expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(10_000_000);
        expect(counts.waiting).toBe(10_000_000 - lines);
        await owner.pool.query(`UPDATE bulk_jobs SET state = 'CANCELLED', finished_at = now() WHERE id = $1`, [id]);
      },
    ),
    { numRuns: 12 },
  );
});

const waiting = (number: number): TestChunk => ({ number, lines: 1, counts: { created: 1 }, sums: {}, clusters: [] });

test('21.5.2 a few chunks are not folded, and nothing of a chunk that is not done', async () => {
  const id = await startJob(300);
  await addDone(
    id,
    Array.from({ length: 99 }, (_, number) => waiting(number)),
  );
  expect(await foldChunks(database, { id, run: 1 })).toBe(0);
  await owner.pool.query(
    `INSERT INTO bulk_chunks (job_id, run, number, first_line, lines, cursor, counts)
     VALUES ($1, 1, 500, 500, 2, 1, '{"created": 1}')`,
    [id],
  );
  await addDone(id, [waiting(99)]);
  expect(await foldChunks(database, { id, run: 1 })).toBe(100);
  expect((await getBulkJob(context, { job_id: id })).counts).toMatchObject({ created: 101, waiting: 199 });
});

test('21.5.2 a run that is planned anew begins from nothing', async () => {
  const id = await startJob(100);
  await addDone(
    id,
    Array.from({ length: 100 }, (_, number) => waiting(number)),
  );
  expect(await foldChunks(database, { id, run: 1 })).toBe(100);
  await owner.pool.query(`UPDATE bulk_jobs SET state = 'PLANNING', run = 2, kind = 'PROCESS' WHERE id = $1`, [id]);
  const { actor } = context;
  const work = { id, kind: 'PROCESS', import_supplier_code: 'NW-1', options: {}, selection: {}, run: 2, actor };
  await planBulkJob({ ...context, maxLineBytes: 1, startedAt: new Date() }, { ...work, run_mode: 'REAL' } as never);
  expect((await getBulkJob(context, { job_id: id })).counts).toMatchObject({ created: 0, waiting: 0 });
  const { rows } = await owner.pool.query(
    'SELECT job_id FROM bulk_folds WHERE job_id = $1 UNION ALL SELECT job_id FROM bulk_problems WHERE job_id = $1',
    [id],
  );
  expect(rows).toEqual([]);
});

test('21.5.4 of the names of undocumented fields 500 are counted each, the others together', async () => {
  const id = await startJob(1_000);
  const named = (number: number): TestChunk => ({
    ...waiting(number),
    clusters: Array.from({ length: 20 }, (_, index) => ({
      ...{ step: 'validate', code: 'undocumented_field', attr: `f${number * 20 + index}`, warning: true },
      ...{ accounts: 2, samples: [`A-${number}`] },
    })),
  });
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  await addDone(id, numbers.slice(0, 100).map(named));
  await foldChunks(database, { id, run: 1 });
  const again = numbers.map((number) => ({ ...named(number), number: 100 + number }));
  await addDone(id, again);
  await foldChunks(database, { id, run: 1 });
  const problems = await listBulkProblems(context, { job_id: id });
  expect(problems).toHaveLength(501);
  expect(problems[0]).toMatchObject({ attr: '…', accounts: 2 * 1_500 * 2, refused: false });
  expect(new Set(problems.slice(1).map(({ accounts }) => accounts))).toEqual(new Set([4]));
  expect(problems[1]?.sample_account_numbers).toHaveLength(2);
});

test('21.5.3 the rate of a job, and its estimate, are the same when its chunks are folded', async () => {
  const id = await startJob(10_000);
  const numbers = Array.from({ length: 240 }, (_, number) => number);
  await addDone(id, numbers.map(waiting));
  const now = context.clock();
  await owner.pool.query(
    `UPDATE bulk_chunks SET started_at = finished.at - interval '5 seconds', finished_at = finished.at
     FROM (SELECT number, $2::timestamptz - number * interval '5 seconds' AS at FROM bulk_chunks WHERE job_id = $1) AS finished
     WHERE job_id = $1 AND bulk_chunks.number = finished.number`,
    [id, now],
  );
  const before = await getBulkJob(context, { job_id: id });
  expect(await foldChunks(database, { id, run: 1 })).toBe(240);
  const after = await getBulkJob(context, { job_id: id });
  expect([before.accounts_per_second, after.accounts_per_second]).toEqual([0.2, 0.2]);
  const leftOf = ({ estimate }: typeof before) => Date.parse(estimate?.finishes_at ?? '') - now.getTime();
  expect(leftOf(after) / leftOf(before)).toBeCloseTo(1, 1);
});
