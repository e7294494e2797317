import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import { allWaitOrAreAnswered, buildAccountCounter, buildGate, type Gate } from '../rig/gate.ts';
import { type BookMovers, judgeBooks, moveBooks } from '../rig/move-books.ts';
import { operationOn } from '../rig/operations.ts';
import { type Answer, nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { timeUntil } from '../rig/wait.ts';
import { type Claim, exactly, isSo, none, type Outcome, type Scenario } from '../scenario.ts';

const LIMIT = 40;
/** A quarter of the limit. */
const KEPT_FOR_CALLERS = 10;
const CALLERS = 200;
const INSTANCES = 2;
/** Of each supplier, over all instances: every lane of them. */
const LANES = 4;
const LINES_OF_A_BOOK = 120;
/** So that the slots of bulk are shared by three lanes, and the last of them gets fewer than it has lines. */
const LINES_A_PART = 12;
const SHAPE = { linesAPart: LINES_A_PART, parallelism: LANES };
/** How often it is looked whether lanes take slots that callers hold. */
const LOOKS = 25;
const LOOK_EVERY_MS = 20;
const REPEAT_AFTER_MS = { from: 10, to: 50 };
const PATIENCE_MS = 40_000;
/** Replaces the defaults, so that the limit, and not the connections, holds callers back. */
const POOL_SIZE = 60;
const MAX_CONNECTIONS = 300;
/** Nobody who waits at the gate is refused for it, however long a busy machine takes to bring all of them there. */
const AT_ANY_SPEED = {
  DATABASE_ACQUIRE_TIMEOUT_MS: '300000',
  DATABASE_LOCK_TIMEOUT_MS: '300000',
  DATABASE_STATEMENT_TIMEOUT_MS: '300000',
};

/** 200 callers and four lanes at a limit of 40: the lanes first, the callers first, and all at once. */
export const keepTheLimitBesideBooks: Scenario = {
  row: 27,
  title: 'the limit of 40 with a bulk job and 200 callers over two instances',
  unit: 'rounds',
  full: 20,
  short: 1,
  async run(rounds, random): Promise<Outcome> {
    const settings = { max_connections: String(MAX_CONNECTIONS) };
    const variables = { DATABASE_POOL_SIZE: String(POOL_SIZE), ...AT_ANY_SPEED };
    await using world = await startWorld({ instances: INSTANCES, settings, variables });
    await using gate = await buildGate(world);
    const atWork = await buildAccountCounter(world);
    const supplier = await world.createSupplier({ process_concurrency_limit: LIMIT, bulk_parallelism: LANES });
    const movers = moveBooks(world, supplier, random.fork('books'));
    const site: Site = { world, gate, atWork, supplier, movers, random, refused: 0, peak: 0 };
    const claims: Claim[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      claims.push(...(await lanesFirst(site)), ...(await callersFirst(site)));
    }
    const judged = await judgeBooks(world, supplier, movers);
    const { books, besides } = movers.ledger;
    const lines = books.reduce((sum, book) => sum + book.lines, 0);
    return {
      figures: `${rounds} rounds, ${books.length} books of ${lines} lines, ${besides.length} accounts by calls, ${site.refused} calls refused for the limit; at most ${site.peak} accounts at work with lanes and callers free; ${judged.lost} lost, ${judged.doubled} doubled`,
      claims: [
        ...claims,
        ...judged.claims,
        exactly('more at work than the limit, with lanes and callers free', String(site.peak > LIMIT), 'false'),
        isSo('calls were refused for the limit', site.refused > 0),
      ],
    };
  },
};

interface Site {
  world: World;
  gate: Gate;
  /** How many accounts are being created, by lanes and callers. */
  atWork: () => Promise<number>;
  supplier: Supplier;
  movers: BookMovers;
  random: Random;
  /** Calls that were refused for the limit. */
  refused: number;
  /** The most accounts that were at work while nothing was held. */
  peak: number;
}

/** Lanes take what they may while nothing ends; 200 callers find the rest of the slots, and exactly these. */
async function lanesFirst(site: Site): Promise<Claim[]> {
  const { gate, atWork, movers } = site;
  const accounts = await stageAccounts(site, CALLERS);
  await gate.close();
  const book = await movers.startBook(LINES_OF_A_BOOK, SHAPE);
  await timeUntil(async () => (await atWork()) >= LIMIT - KEPT_FOR_CALLERS, PATIENCE_MS);
  await look(atWork);
  const ofLanes = await atWork();
  const lanes = await gate.waiting();
  const calls = accounts.map((account, caller) => callProcess(site, caller, account));
  await allWaitOrAreAnswered(gate, calls, CALLERS + lanes);
  const together = await atWork();
  await gate.open();
  const answers = await Promise.all(calls);
  const refused = answers.filter((answer) => answer?.status === 429);
  const left = accounts.filter((_, index) => answers[index]?.status !== 201);
  site.refused += refused.length;
  await allAtOnce(site, left);
  await movers.jobs.leaves(book.jobId, ['PLANNING', 'RUNNING']);
  return [
    exactly('accounts at work for lanes alone', ofLanes, LIMIT - KEPT_FOR_CALLERS),
    exactly('accounts at work for lanes, and for 200 callers after them', together, LIMIT),
    exactly('callers told 201 beside lanes', CALLERS - left.length, KEPT_FOR_CALLERS),
    exactly('callers told 429 beside lanes', refused.length, CALLERS - KEPT_FOR_CALLERS),
    ...none({
      '429 without its code or Retry-After': refused.filter(
        (one) => !one?.headers.has('retry-after') || nameOf(one) !== '429 concurrency_limit_exceeded',
      ),
    }),
  ];
}

/** As many callers as there are slots hold all of them while nothing ends: lanes wait, and no line fails for it. */
async function callersFirst(site: Site): Promise<Claim[]> {
  const { gate, atWork, movers } = site;
  const accounts = await stageAccounts(site, LIMIT);
  await gate.close();
  const calls = accounts.map((account, caller) => callProcess(site, caller, account));
  await allWaitOrAreAnswered(gate, calls);
  const ofCallers = await atWork();
  const book = await movers.startBook(LINES_OF_A_BOOK, SHAPE);
  await movers.jobs.leaves(book.jobId, ['PLANNING']);
  const whileTaken = await look(atWork);
  await gate.open();
  const answers = await Promise.all(calls);
  await movers.jobs.leaves(book.jobId, ['PLANNING', 'RUNNING']);
  return [
    exactly('accounts at work for 40 callers', ofCallers, LIMIT),
    exactly('accounts at work when lanes come after them', whileTaken, LIMIT),
    ...none({
      'of 40 callers at 40 free slots, refused': answers.filter((answer) => answer?.status !== 201).map(nameOf),
    }),
  ];
}

/** Each caller repeats its call until its account is created, while lanes work. */
async function allAtOnce(site: Site, accounts: readonly string[]): Promise<void> {
  const { random } = site;
  let left = accounts.length;
  const watching = (async () => {
    for (; left > 0; await delay(LOOK_EVERY_MS)) site.peak = Math.max(site.peak, await site.atWork());
  })();
  const create = async (account: string, caller: number) => {
    for (;;) {
      const answer = await callProcess(site, caller, account);
      if (answer?.status === 201) break;
      if (answer?.status === 429) site.refused += 1;
      await delay(random.integer(REPEAT_AFTER_MS.from, REPEAT_AFTER_MS.to));
    }
    left -= 1;
  };
  await Promise.all([watching, ...accounts.map(create)]);
}

/** The most there was at work, for a while. */
async function look(atWork: Site['atWork']): Promise<number> {
  let most = 0;
  for (let times = 0; times < LOOKS; times += 1) {
    most = Math.max(most, await atWork());
    await delay(LOOK_EVERY_MS);
  }
  return most;
}

/** One for each caller. */
async function stageAccounts({ world, supplier, movers }: Site, callers: number): Promise<string[]> {
  const { besides } = movers.ledger;
  const accounts = Array.from({ length: callers }, (_, caller) => `CALL-${besides.length + caller}`);
  besides.push(...accounts);
  const stage = async (account: string, caller: number) => {
    const answer = await send(world.url(caller), {
      ...operationOn(supplier, account, 'stage'),
      token: supplier.token,
    });
    if (answer?.status !== 201) movers.ledger.odd.push({ stage: nameOf(answer), body: answer?.body });
  };
  await Promise.all(accounts.map(stage));
  return accounts;
}

/** An answer other than the two that a caller may expect is noted. */
async function callProcess(
  { world, supplier, movers }: Site,
  instance: number,
  account: string,
): Promise<Answer | undefined> {
  const call = { ...operationOn(supplier, account, 'process'), token: supplier.token };
  const answer = await send(world.url(instance), call);
  if (![201, 429].includes(answer?.status ?? 0))
    movers.ledger.odd.push({ process: nameOf(answer), body: answer?.body });
  return answer;
}
