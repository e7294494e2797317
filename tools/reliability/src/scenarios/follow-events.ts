import { type Random, strikeAtRandom } from '@causeway/testing';
import {
  followEvents,
  judgeEvents,
  LATE,
  lettersOf,
  type StoredEvent,
  storedEvents,
  type TalkedEvent,
  writeLate,
} from '../rig/events.ts';
import { isPersonal, leadAccounts } from '../rig/journeys.ts';
import { moveBooks } from '../rig/move-books.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { killInstances } from '../rig/strikers.ts';
import { type Claim, isSo, none, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 4;
const PEACE_MS = { from: 50, to: 550 };
const MANY_KILLS = 10;
/** Before the first kill of a small run, and after its last. */
const ACCOUNTS_OF_A_SMALL_RUN = 15;
const LINES_A_BOOK = { small: 120, large: 500 };

/**
 * Accounts are created, refused and completed one by one and in books, while the service is killed and other sessions
 * commit late: a reader with a cursor gets each event once.
 */
export const readEventsWhileKilled: Scenario = {
  row: 34,
  title: 'kill -9 of the service while events are followed',
  unit: 'kills',
  full: 30,
  short: 1,
  async run(kills, random): Promise<Outcome> {
    const isSmall = kills < MANY_KILLS;
    await using world = await startWorld({ instances: isSmall ? 1 : 2 });
    const supplier = await world.createSupplier();
    const reader = followEvents(world, supplier, random.fork('reader'));
    const travellers = leadAccounts(world, supplier, { clients: CLIENTS, random: random.fork('accounts') });
    const { untilArrived } = travellers;
    const moved = moveBooksUntil(world, supplier, {
      random: random.fork('books'),
      lines: isSmall ? LINES_A_BOOK.small : LINES_A_BOOK.large,
    });
    const late = writeLate(world, supplier, random.fork('late'));
    const striker = killInstances(world, random.fork('victims'));
    // A key whose request was interrupted is claimed for 30 seconds: too long for the short form.
    if (isSmall) await Promise.all([untilArrived(ACCOUNTS_OF_A_SMALL_RUN), moved.begun]);
    await strikeAtRandom(random.fork('strikes'), { times: kills, peaceMs: PEACE_MS, strike: striker.strike });
    await striker.finish();
    await untilArrived(ACCOUNTS_OF_A_SMALL_RUN);
    const [books] = await Promise.all([moved.finish(), travellers.finish(), late.finish()]);
    const read = await reader.finish();
    const stored = await storedEvents(world, supplier);
    const own = stored.filter(({ account }) => account?.startsWith(LATE) !== true);
    const { ledger, kinds: journeys } = travellers;
    const ofBooks = books.accounts.map((account) => [account, { told: /^scd$/ }] as const);
    const inDoubt = ledger.inDoubt + books.inDoubt;
    return {
      figures: `${kills} kills; ${journeys.size} accounts one by one and ${books.accounts.length} in ${books.jobs.length} books, ${ledger.sent + books.sent} requests, ${inDoubt} in doubt; ${stored.length} events, ${stored.length - own.length} of them committed late, read in ${read.pages} pages with ${read.restarts} restarts of the reader`,
      claims: [
        ...(await judgeEvents(world, supplier, { stored: own, journeys: new Map([...journeys, ...ofBooks]) })),
        ...none({ 'jobs that were not told of once': untoldJobs(stored, books.jobs) }),
        ...judgeReader(read.events, stored),
        ...none({
          'pages that were others when they were read again': read.changed,
          'answers that must not occur': [...ledger.odd, ...books.odd, ...read.odd],
          'events with personal data': read.events.filter((event) => isPersonal(JSON.stringify(event))),
        }),
        isSo('some requests were in doubt', isSmall || inDoubt > 0),
      ],
    };
  },
};

/** One book after the other, each of good lines, until it is finished. */
function moveBooksUntil(world: World, supplier: Supplier, { random, lines }: { random: Random; lines: number }) {
  const movers = moveBooks(world, supplier, random);
  const accounts: string[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let isOver = false;
  const moving = (async () => {
    do {
      const ofBook = Array.from({ length: lines }, (_, index) => `BOOK-${accounts.length + index + 1}`);
      accounts.push(...ofBook);
      await movers.move(ofBook, begin);
    } while (!isOver);
  })();
  return {
    begun,
    async finish() {
      isOver = true;
      await moving;
      const { books, sent, inDoubt, odd } = movers.ledger;
      return { accounts, jobs: books.map(({ jobId }) => jobId), sent, inDoubt, odd };
    },
  };
}

function untoldJobs(stored: readonly StoredEvent[], jobs: readonly string[]): unknown[] {
  const told = Map.groupBy(stored, ({ job_id }) => job_id);
  const typesOf = (job: string) => told.get(job)?.map(({ type }) => type);
  return jobs
    .map((job) => ({ job, told: typesOf(job)?.join() }))
    .filter(({ told }) => told !== 'bulk_job.started,bulk_job.finished');
}

/** Each event once, and those of an account in the order in which they are stored. */
function judgeReader(events: readonly TalkedEvent[], stored: readonly StoredEvent[]): Claim[] {
  const ids = events.map(({ id }) => id);
  const read = new Set(ids);
  const known = new Set(stored.map(({ id }) => id));
  const inOrder = lettersOf(events.map(({ type, data }) => ({ type, account: data.external_account_number ?? null })));
  return [
    ...none({
      'events that the reader has missed': stored.filter(({ id }) => !read.has(id)),
      'events that the reader got twice': [...Map.groupBy(ids, (id) => id).values()].filter(({ length }) => length > 1),
      'events that were read and are not stored': ids.filter((id) => !known.has(id)),
      'accounts whose events were read in another order': [...lettersOf(stored)].filter(
        ([account, letters]) => inOrder.get(account) !== letters,
      ),
    }),
  ];
}
