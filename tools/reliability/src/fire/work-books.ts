import { percentile } from '@causeway/testing';
import { judgeBooks, moveBooks } from '../rig/move-books.ts';
import type { ServiceWorld, Supplier } from '../rig/service-world.ts';
import { waitUntil } from '../rig/wait.ts';
import { isSo, within } from '../scenario.ts';
import type { Work } from './work.ts';

/** A book is over before the next one is uploaded. */
const LINES_A_BOOK = { small: 600, large: 2_000 };
const MANY_STRIKES = 10;
/** Of the strikes; the others hit whatever happens: an upload, a plan, the end of a job. */
const SHARE_AT_CHUNKS = 0.7;
const CONTINUES_WITHIN_MS = 2_000;

/** Books are moved, one after the other: each line has one outcome, in the database and in what its job says. */
export const moveBooksOneByOne: Work = {
  async begin({ world, random, strikes }) {
    const supplier = await world.createSupplier();
    const movers = moveBooks(world, supplier, random.fork('books'));
    const isSmall = strikes < MANY_STRIKES;
    const returnsMs: number[] = [];
    let isOver = false;
    const moving = (async () => {
      do {
        const book = await movers.startBook(isSmall ? LINES_A_BOOK.small : LINES_A_BOOK.large);
        await movers.jobs.leaves(book.jobId, ['PLANNING', 'RUNNING']);
      } while (!isOver);
    })();
    return {
      async untilStrike() {
        const isRunning = async () => (await progressOf(world, supplier)).running > 0;
        if (isSmall || random.chance(SHARE_AT_CHUNKS)) await waitUntil(isRunning);
      },
      async afterStrike() {
        const begunAt = performance.now();
        const before = await progressOf(world, supplier);
        let now = before;
        await waitUntil(async () => {
          now = await progressOf(world, supplier);
          return now.running === 0 || now.done > before.done;
        });
        if (before.running > 0 && now.done > before.done) returnsMs.push(performance.now() - begunAt);
      },
      async judge() {
        isOver = true;
        await moving;
        const { lost, doubled, claims } = await judgeBooks(world, supplier, movers);
        const { books, sent, inDoubt } = movers.ledger;
        const accounts = books.reduce((sum, book) => sum + book.accounts.length, 0);
        const longestMs = Math.max(0, ...returnsMs);
        const medianMs = Math.round(percentile(returnsMs, 0.5));
        return {
          figures: `${returnsMs.length} while a job ran; ${books.length} books, ${accounts} accounts created, ${sent} requests, ${inDoubt} in doubt; continuing after ${medianMs} ms (median) and ${Math.round(longestMs)} ms at most; ${lost} lost, ${doubled} doubled`,
          claims: [
            ...claims,
            isSo('some strikes met a running job', returnsMs.length > 0),
            within('from a strike until the next chunk was done', longestMs, CONTINUES_WITHIN_MS),
          ],
        };
      },
    };
  },
};

async function progressOf(world: ServiceWorld, { code }: Supplier): Promise<{ running: number; done: number }> {
  const [row] = await world.query<{ running: number; done: number }>(
    `SELECT count(DISTINCT job.id) FILTER (WHERE state = 'RUNNING' AND NOT done)::int AS running,
      count(*) FILTER (WHERE done)::int AS done
    FROM bulk_jobs job LEFT JOIN bulk_chunks chunk ON chunk.job_id = job.id AND chunk.run = job.run
    WHERE import_supplier_code = $1`,
    [code],
  );
  return row ?? { running: 0, done: 0 };
}
