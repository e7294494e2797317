import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileOfProgram } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { linesOf } from './lines.ts';
import { startBooks } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, url, createSupplier, startJob, workOn, jobOf, countsOf, resultsOf } = books;

const PROGRAM = fileOfProgram('packages/runner/test/fixtures/run-lanes.ts');
const ACCOUNTS = 300;
const KILLS = 3;

/** Resolves when it has written a chunk or two. */
async function startLanes(): Promise<ChildProcess> {
  const lanes = spawn(process.execPath, [PROGRAM, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([once(lanes.stdout ?? lanes, 'data'), once(lanes, 'exit')]);
  return lanes;
}

test('21.8.1 lanes that are killed lose nothing and double nothing, and others continue', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, ACCOUNTS), options: { parallelism: 4 } });
  for (let kills = 0; kills < KILLS; kills += 1) {
    const lanes = await startLanes();
    lanes.kill('SIGKILL');
    await once(lanes, 'close');
  }
  await Promise.all([workOn(id), workOn(id)]);
  expect(await jobOf(id)).toMatchObject({ state: 'FINISHED', lines: ACCOUNTS });
  expect(await countsOf(id)).toEqual({ created: ACCOUNTS });
  expect((await resultsOf(id)).size).toBe(ACCOUNTS);
  const { rows } = await owner.pool.query(
    `SELECT count(*)::int AS imports, count(*) FILTER (WHERE state = 'COMPLETED')::int AS completed,
       (SELECT count(*)::int FROM transactions) AS transactions, (SELECT count(*)::int FROM notes) AS notes,
       (SELECT count(*)::int FROM statements) AS statements,
       (SELECT count(*)::int FROM audit_events WHERE action = 'processed') AS events
     FROM account_imports`,
  );
  const all = { imports: ACCOUNTS, completed: ACCOUNTS, events: ACCOUNTS };
  expect(rows).toEqual([{ ...all, transactions: ACCOUNTS, notes: ACCOUNTS, statements: ACCOUNTS }]);
});
