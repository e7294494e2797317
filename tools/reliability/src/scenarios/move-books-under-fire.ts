import { setTimeout as delay } from 'node:timers/promises';
import { percentile, type Random, strikeAtRandom } from '@causeway/testing';
import { judgeBooks, moveBooks } from '../rig/move-books.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { crashDatabase, FAST_RECOVERY, killInstances, type Striker } from '../rig/strikers.ts';
import { isSo, type Outcome, type Scenario, within } from '../scenario.ts';

const INSTANCES = 2;
/** A book is over before the next one is uploaded. */
const LINES_A_BOOK = 2_000;
const LINES_OF_A_SMALL_BOOK = 600;
const MANY_STRIKES = 10;
const PEACE_MS = { from: 50, to: 550 };
/** Of the strikes; the others hit whatever happens: an upload, a plan, the end of a job. */
const SHARE_AT_CHUNKS = 0.7;
const GOES_ON_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 10;

/** kill -9 of one of two instances at random times, while they move books. */
export const moveBooksWhileKilled: Scenario = {
  row: 25,
  title: 'kill -9 of the service while it moves books',
  unit: 'kills',
  full: 100,
  short: 1,
  run: (kills, random) => moveUnderFire(kills, random, killInstances),
};

/** The same with the database: an immediate stop, which is a crash, and a start that recovers. */
export const moveBooksWhileCrashed: Scenario = {
  row: 25,
  title: 'immediate stop of the database while books are moved',
  unit: 'stops',
  full: 50,
  short: 1,
  run: (stops, random) => moveUnderFire(stops, random, crashDatabase),
};

async function moveUnderFire(
  strikes: number,
  random: Random,
  arm: (world: World, random: Random) => Striker,
): Promise<Outcome> {
  await using world = await startWorld({ instances: INSTANCES, settings: FAST_RECOVERY });
  const supplier = await world.createSupplier();
  const movers = moveBooks(world, supplier, random.fork('books'));
  const striker = arm(world, random.fork('victims'));
  const returnsMs: number[] = [];
  let isOver = false;
  const linesOfABook = strikes < MANY_STRIKES ? LINES_OF_A_SMALL_BOOK : LINES_A_BOOK;
  const moving = (async () => {
    do {
      const book = await movers.startBook(linesOfABook);
      await movers.leaves(book, ['PLANNING', 'RUNNING']);
    } while (!isOver);
  })();
  await strikeAtRandom(random.fork('strikes'), {
    times: strikes,
    peaceMs: PEACE_MS,
    async strike() {
      if (strikes < MANY_STRIKES || random.chance(SHARE_AT_CHUNKS)) await untilChunksAreDone(world, supplier);
      await striker.strike();
      const backMs = await timeUntilNextChunk(world, supplier);
      if (backMs !== undefined) returnsMs.push(backMs);
    },
  });
  isOver = true;
  await striker.finish();
  await moving;
  const { lost, doubled, claims } = await judgeBooks(world, supplier, movers);
  const { books, sent, inDoubt } = movers.ledger;
  const accounts = books.reduce((sum, book) => sum + book.accounts.length, 0);
  const longestMs = Math.max(0, ...returnsMs);
  const medianMs = Math.round(percentile(returnsMs, 0.5));
  const inTime = returnsMs.filter((backMs) => backMs <= GOES_ON_WITHIN_MS).length;
  return {
    figures: `${strikes} strikes, ${returnsMs.length} of them while a job ran; ${books.length} books, ${accounts} accounts created, ${sent} requests, ${inDoubt} in doubt; continuing after ${medianMs} ms (median) and ${Math.round(longestMs)} ms at most, ${inTime} times within ${GOES_ON_WITHIN_MS / 1_000} s; ${lost} lost, ${doubled} doubled`,
    claims: [
      ...claims,
      isSo('some strikes met a running job', returnsMs.length > 0),
      within('from a strike until the next chunk was done', longestMs, GOES_ON_WITHIN_MS),
    ],
  };
}

async function untilChunksAreDone(world: World, supplier: Supplier): Promise<void> {
  while ((await progressOf(world, supplier)).running === 0) await delay(LOOK_EVERY_MS);
}

/** Undefined if no job is running. */
async function timeUntilNextChunk(world: World, supplier: Supplier): Promise<number | undefined> {
  const begunAt = performance.now();
  const before = await progressOf(world, supplier);
  for (;;) {
    const { running, done } = await progressOf(world, supplier);
    if (before.running === 0 || (running === 0 && done === before.done)) return undefined;
    if (done > before.done) return performance.now() - begunAt;
    await delay(LOOK_EVERY_MS);
  }
}

async function progressOf(world: World, { code }: Supplier): Promise<{ running: number; done: number }> {
  const [row] = await world.query<{ running: number; done: number }>(
    `SELECT count(DISTINCT job.id) FILTER (WHERE state = 'RUNNING' AND NOT done)::int AS running,
      count(*) FILTER (WHERE done)::int AS done
    FROM bulk_jobs job LEFT JOIN bulk_chunks chunk ON chunk.job_id = job.id AND chunk.run = job.run
    WHERE import_supplier_code = $1`,
    [code],
  );
  return row ?? { running: 0, done: 0 };
}
