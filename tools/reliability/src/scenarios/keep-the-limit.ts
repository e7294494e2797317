import { setTimeout as delay } from 'node:timers/promises';
import { allWaitOrAreAnswered, buildGate, type Gate, openTransactions } from '../rig/gate.ts';
import { operationOn } from '../rig/operations.ts';
import { type Answer, nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { timeUntil } from '../rig/wait.ts';
import { type Claim, dependingOnSpeed, exactly, isSo, none, type Outcome, type Scenario, within } from '../scenario.ts';

const LIMIT = 40;
const CALLERS = 200;
const INSTANCES = 4;
const FREE_WITHIN_MS = 15_000;
/** How long a slot may stay taken before it counts as permanently lost. */
const PATIENCE_MS = 40_000;
const LAST = INSTANCES - 1;
/** Replaces the defaults, so that the limit, and not the connections, holds callers back. */
const POOL_SIZE = 60;
const MAX_CONNECTIONS = 300;

/** 200 callers at a limit of 40; then some of the 40 lose their instance, others their database connection. */
export const keepTheLimit: Scenario = {
  row: 3,
  title: 'the limit of 40 with 200 callers over four instances',
  unit: 'rounds',
  full: 20,
  short: 1,
  async run(rounds): Promise<Outcome> {
    const settings = { max_connections: String(MAX_CONNECTIONS) };
    const variables = { DATABASE_POOL_SIZE: String(POOL_SIZE) };
    await using world = await startWorld({ instances: INSTANCES, settings, variables });
    await using gate = await buildGate(world);
    const supplier = await world.createSupplier({ process_concurrency_limit: LIMIT });
    const site: Site = { world, gate, supplier, accounts: 0, unavailable: [] };
    const claims: Claim[] = [];
    const slowest = { killed: 0, dryRuns: 0, unsynced: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      claims.push(...(await calmly(site, crowd)), ...(await calmly(site, fillUp, 'after the crowd')));
      const killed = await loseInstance(site);
      claims.push(...killed.claims, ...(await calmly(site, fillUp, 'after kill -9')));
      const unheard = await loseLine(site);
      claims.push(...unheard.claims, ...(await calmly(site, fillUp, 'after the black hole')));
      slowest.killed = Math.max(slowest.killed, killed.freeMs);
      slowest.dryRuns = Math.max(slowest.dryRuns, unheard.dryRunsMs);
      slowest.unsynced = Math.max(slowest.unsynced, unheard.unsyncedMs);
    }
    claims.push(within('slots of a killed instance free again', slowest.killed, FREE_WITHIN_MS));
    claims.push(within('slots of dry runs behind a black hole free again', slowest.dryRuns, FREE_WITHIN_MS));
    claims.push(within('slots of calls whose Sync was lost free again', slowest.unsynced, FREE_WITHIN_MS));
    return {
      figures: `${rounds} rounds, slots free ${seconds(slowest.killed)} after kill -9, ${seconds(slowest.dryRuns)} after a dry run was black-holed, ${seconds(slowest.unsynced)} after a Sync was; pools of ${POOL_SIZE} instead of 20, PostgreSQL with max_connections ${MAX_CONNECTIONS} instead of 200`,
      claims,
    };
  },
};

interface Site {
  world: World;
  gate: Gate;
  supplier: Supplier;
  accounts: number;
  /** The answers so far after which a caller retried. */
  unavailable: string[];
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Stages an account and calls process for it; retries on 503. */
async function callProcess(site: Site, instance: number, dryRun = false): Promise<Answer | undefined> {
  const { world, supplier } = site;
  site.accounts += 1;
  const account = `A-${site.accounts}`;
  const { token } = supplier;
  const stage = { ...operationOn(supplier, account, 'stage'), token };
  for (;;) {
    const answer = await send(world.url(0), stage);
    if (answer?.status === 201) break;
    site.unavailable.push(nameOf(answer));
    await delay(20);
  }
  const { path, body } = operationOn(supplier, account, 'process');
  for (;;) {
    const answer = await send(world.url(instance), { path, token, body: { ...body, dry_run: dryRun } });
    if (answer?.status !== 503) return answer;
    site.unavailable.push(nameOf(answer));
    await delay(20);
  }
}

/**
 * A phase without kills and black holes: no caller has to retry, unless the machine is so busy that those at the gate
 * wait for longer than a statement may.
 */
async function calmly<Rest extends unknown[]>(
  site: Site,
  phase: (site: Site, ...rest: Rest) => Promise<Claim[]>,
  ...rest: Rest
): Promise<Claim[]> {
  site.unavailable = [];
  const claims = await phase(site, ...rest);
  const retried = none({ '503 from a caller while nothing was killed or black-holed': site.unavailable });
  return [...claims, ...dependingOnSpeed(retried)];
}

/** 200 callers while no call finishes: 40 are admitted, all others are refused. */
async function crowd(site: Site): Promise<Claim[]> {
  const { gate } = site;
  await gate.close();
  const calls = Array.from({ length: CALLERS }, (_, caller) => callProcess(site, caller));
  await allWaitOrAreAnswered(gate, calls);
  const peak = await gate.waiting();
  await gate.open();
  const answers = await Promise.all(calls);
  const refused = answers.filter((answer) => answer?.status === 429);
  return [
    exactly('accounts being processed at once, of 200 callers', peak, LIMIT),
    exactly('callers told 429', refused.length, CALLERS - LIMIT),
    exactly('callers told 201', answers.filter((answer) => answer?.status === 201).length, LIMIT),
    ...none({
      '429 without its code or Retry-After': refused.filter(
        (one) => !one?.headers.has('retry-after') || nameOf(one) !== '429 concurrency_limit_exceeded',
      ),
    }),
  ];
}

/** 40 callers while all slots are free: none is refused. */
async function fillUp(site: Site, when: string): Promise<Claim[]> {
  const { gate } = site;
  await gate.close();
  const calls = Array.from({ length: LIMIT }, (_, caller) => callProcess(site, caller));
  const refused: string[] = [];
  for (const call of calls) call.then((answer) => answer?.status === 201 || refused.push(nameOf(answer)));
  await allWaitOrAreAnswered(gate, calls);
  await gate.open();
  await Promise.all(calls);
  return [...none({ [`of 40 callers at 40 free slots, refused ${when}`]: refused })];
}

/**
 * 40 are being processed when the instance of 10 of them is killed: their slots are free although the calls never end.
 */
async function loseInstance(site: Site): Promise<{ freeMs: number; claims: Claim[] }> {
  const { world, gate } = site;
  await gate.close();
  const calls = Array.from({ length: LIMIT }, (_, caller) => callProcess(site, caller));
  await allWaitOrAreAnswered(gate, calls);
  await world.instances[LAST]?.process.kill();
  const freeMs = await timeUntil(async () => (await gate.waiting()) <= LIMIT - LIMIT / INSTANCES, PATIENCE_MS);
  await gate.open();
  const unanswered = (await Promise.all(calls)).filter((answer) => answer === undefined).length;
  await world.instances[LAST]?.process.restart();
  return {
    freeMs,
    claims: [
      exactly('callers that the killed instance left without an answer', unanswered, LIMIT / INSTANCES),
      isSo('slots of a killed instance that are free again in the end', freeMs < PATIENCE_MS),
    ],
  };
}

/**
 * Behind a black hole are 10 dry runs whose ROLLBACK never arrives, and 10 process calls whose last message, Sync, was
 * lost: their statements are done, their transactions open, and neither side knows that the other is gone.
 */
async function loseLine(site: Site): Promise<{ dryRunsMs: number; unsyncedMs: number; claims: Claim[] }> {
  const { world, gate } = site;
  const dryRuns = world.instances[LAST];
  const unsynced = world.instances[LAST - 1];
  if (dryRuns === undefined || unsynced === undefined) throw new Error('There are too few instances.');
  const tenth = LIMIT / INSTANCES;
  // Key and supplier are remembered from now on, for some seconds, so that the next statement of each connection is that
  // of process. What an instance remembers from before may expire at any time.
  await unsynced.process.restart();
  await Promise.all(Array.from({ length: 2 * tenth }, () => callProcess(site, LAST - 1)));
  const firedBefore = unsynced.proxy.fired;
  await gate.close();
  unsynced.proxy.arm({ direction: 'to-server', at: { messageType: 'S' }, does: 'black-hole', times: tenth });
  const lost = Array.from({ length: 2 * tenth }, (_, caller) =>
    callProcess(site, LAST - (caller % 2), caller % 2 === 0),
  );
  const kept = Array.from({ length: 2 * tenth }, (_, caller) => callProcess(site, caller % 2));
  await allWaitOrAreAnswered(gate, [...lost, ...kept]);
  const swallowed = dryRuns.proxy.blackHoleAll();
  await gate.open();
  const answers = await Promise.all(kept);
  const unsyncedCount = unsynced.proxy.fired - firedBefore;
  const timeOf = (state: 'active' | 'idle in transaction') =>
    timeUntil(async () => (await openTransactions(world, state)) === 0, PATIENCE_MS);
  const [dryRunsMs, unsyncedMs] = await Promise.all([timeOf('idle in transaction'), timeOf('active')]);
  // What is still armed would meet the new process at its start.
  unsynced.proxy.disarm();
  dryRuns.proxy.cutAll();
  unsynced.proxy.cutAll();
  await Promise.all([dryRuns.process.restart(), unsynced.process.restart()]);
  await Promise.all(lost);
  return {
    dryRunsMs,
    unsyncedMs,
    claims: [
      exactly('connections that lost their Sync', unsyncedCount, tenth),
      isSo('connections black-holed', swallowed >= tenth),
      exactly('others answered 201', answers.filter((answer) => answer?.status === 201).length, 2 * tenth),
      isSo('black-holed dry runs are over in the end', dryRunsMs < PATIENCE_MS),
      isSo('calls whose Sync was lost are over in the end', unsyncedMs < PATIENCE_MS),
    ],
  };
}
