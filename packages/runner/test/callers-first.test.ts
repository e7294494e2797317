import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, expect, test } from 'vitest';
import { PACE, type Pace } from '../src/index.ts';
import { linesOf } from './lines.ts';
import { startBooks } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, createSupplier, startJob, workOn, jobOf } = books;

/** How often a lane that may not work is seen to ask again. */
const ASKED = 3;

test('21.11.2 no lane begins a chunk while callers wait, and only one while they are served', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 6), together: 2 });
  using blocker = await borrowConnection(owner.pool);
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE statements IN SHARE MODE');
  const taken: number[] = [];
  let pace: number = PACE.NONE;
  let asked = 0;
  const counted = () => {
    asked += 1;
    return pace as Pace;
  };
  await workOn(id, { pace: counted }, async () => {
    if (taken.length > 2) return;
    const chunks = await takenChunks(id);
    // Two lanes at work do not ask.
    if (chunks < pace || (pace < PACE.FULL && asked < ASKED)) return;
    taken.push(chunks);
    if (pace < PACE.FULL) pace += 1;
    else await blocker.query('ROLLBACK');
    asked = 0;
  });
  blocker.release();
  expect(taken).toEqual([0, 1, 2]);
  expect(await jobOf(id)).toMatchObject({ state: 'FINISHED' });
});

/** Chunks that a lane holds; -1 before they are planned. */
async function takenChunks(id: string): Promise<number> {
  const count = async (lock: string) => {
    const { rows } = await owner.pool.query(`SELECT number FROM bulk_chunks WHERE job_id = $1 ${lock}`, [id]);
    return rows.length;
  };
  const planned = await count('');
  return planned === 0 ? -1 : planned - (await count('FOR UPDATE SKIP LOCKED'));
}
