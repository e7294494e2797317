import { setTimeout as delay } from 'node:timers/promises';
import type { Direction, Fault, FaultProxy, Random } from '@causeway/testing';
import { type Effects, readEffects, timesCounted } from '../rig/effects.ts';
import {
  knownInstruction,
  OPERATIONS,
  type Operation,
  type OperationName,
  operationOn,
  performSteps,
  STILL_AT_IT,
  UNCHECKED,
} from '../rig/operations.ts';
import { type Answer, nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { timeUntil } from '../rig/wait.ts';
import { exactly, listed, none, type Outcome, type Scenario, within } from '../scenario.ts';

const BACK_WITHIN_MS = 5_000;

/**
 * Cuts the database connection while an endpoint writes, at every message, half message and some bytes in both
 * directions (first the commit that was sent and not answered), on an established connection and on one that has yet to
 * log in.
 */
export const surviveCuts: Scenario = {
  row: 5,
  title: 'the database connection cut at every protocol message',
  unit: 'cuts per writing endpoint',
  full: 120,
  short: 3,
  async run(cuts, random): Promise<Outcome> {
    await using world = await startWorld();
    const [instance] = world.instances;
    if (instance === undefined) throw new Error('There is no instance.');
    const supplier = await world.createSupplier();
    const { proxy } = instance;
    const site: Site = {
      ...{ world, proxy, supplier, accounts: 0, odd: [], slowestMs: 0, answers: {}, unanswered: new Set<string>() },
    };
    let fired = 0;
    for (const target of CUT_TARGETS) {
      let left = cuts;
      // Traffic may differ slightly each time: a cut that did not happen does not count.
      for (const cut of await drawCuts(site, target, random)) {
        if (left === 0) break;
        left -= await cutOnce(site, target, cut);
      }
      fired += cuts - left;
    }
    const effects = await readEffects(world, supplier);
    const addedUnanswered = effects.filter(
      ({ account, sum }) => site.unanswered.has(account) && account.startsWith('unchecked#') && sum !== null,
    );
    return {
      figures: `${fired} cuts on ${CUT_TARGETS.length} writes, first answers: ${listed(site.answers)}; back within ${Math.round(site.slowestMs)} ms`,
      claims: [
        exactly('cuts that happened', fired, cuts * CUT_TARGETS.length),
        ...none({
          'an answer to a cut request other than success and 503': site.odd,
          'counted other than once after the retries, or more than once without': miscounted(effects),
        }),
        {
          what: 'some commits had counted that were not answered',
          holds: addedUnanswered.length > 0,
          found: String(addedUnanswered.length),
        },
        exactly('ends of the process', String(instance.process.exited), 'false'),
        within('back to service after a cut', site.slowestMs, BACK_WITHIN_MS),
      ],
    };
  },
};

interface Site {
  world: World;
  proxy: FaultProxy;
  supplier: Supplier;
  accounts: number;
  odd: unknown[];
  slowestMs: number;
  /** The first answers to the requests that were cut, by name. */
  answers: Record<string, number>;
  /** Accounts whose request was cut and not completed by its first answer. */
  unanswered: Set<string>;
}

type Cut = Pick<Fault, 'direction' | 'at' | 'half'> & { onNewConnection: boolean };

const NEVER: Fault = { direction: 'to-server', at: { bytes: Number.MAX_SAFE_INTEGER }, does: 'cut' };

const ask = ({ world, supplier }: Site, operation: Operation): Promise<Answer | undefined> =>
  send(world.url(), { ...operation, token: supplier.token });

/** An account that has gone through every step before the target's. */
async function prepare(site: Site, { name, after }: CutTarget): Promise<string> {
  site.accounts += 1;
  const account = `${name}#${site.accounts}`;
  site.world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
  await performSteps(site.world, site.supplier, account, after);
  return account;
}

/**
 * The next request of a target, ready to be sent: on a connection that has done the same before, so that the messages
 * are the same each time, or on one that has yet to log in.
 */
async function approach(
  site: Site,
  target: CutTarget,
  onNewConnection: boolean,
): Promise<{ account: string; operation: Operation }> {
  const before = target.request(site.supplier, await prepare(site, target));
  const account = await prepare(site, target);
  const operation = target.request(site.supplier, account);
  const answer = await ask(site, before);
  if (!target.isDone(answer)) throw new Error(`${target.name} answered ${nameOf(answer)} undisturbed`);
  if (onNewConnection) site.proxy.cutAll();
  return { account, operation };
}

/** Observes one undisturbed request on each kind of connection; returns all possible cuts, in random order. */
async function drawCuts(site: Site, target: CutTarget, random: Random): Promise<Cut[]> {
  const { proxy } = site;
  const drawn: { cut: Cut; order: number }[] = [];
  for (const onNewConnection of [false, true]) {
    const { operation } = await approach(site, target, onNewConnection);
    proxy.arm(NEVER);
    while (!target.isDone(await ask(site, operation)));
    for (const direction of ['to-client', 'to-server'] as const satisfies Direction[]) {
      const { messages, bytes } = proxy.traffic[direction];
      for (let message = 0; message < messages; message += 1) {
        // The last message confirms the commit: without it the outcome is unknown.
        const isCommit = direction === 'to-client' && message === messages - 1 && !onNewConnection;
        const cut: Cut = { direction, at: { messages: message }, onNewConnection };
        const anyByte = { direction, at: { bytes: random.integer(1, bytes - 1) }, onNewConnection };
        drawn.push({ cut, order: isCommit ? 0 : random.next() });
        drawn.push({ cut: { ...cut, half: true }, order: isCommit ? 0 : random.next() });
        drawn.push({ cut: anyByte, order: random.next() });
      }
    }
  }
  return drawn.toSorted((one, other) => one.order - other.order).map(({ cut }) => cut);
}

/** Whether a repeat may get another answer; any other answer is final. */
const isInDoubt = (answer: Answer | undefined): boolean =>
  answer === undefined || answer.status === 503 || nameOf(answer) === STILL_AT_IT;

/** Sends one request over a connection that is cut, then repeats it until it is done; returns 1 if the cut happened. */
async function cutOnce(site: Site, target: CutTarget, { onNewConnection, ...where }: Cut): Promise<number> {
  const { proxy, supplier } = site;
  const { account, operation } = await approach(site, target, onNewConnection);
  const before = proxy.fired;
  proxy.arm({ ...where, does: 'cut' });
  let sentAt = performance.now();
  let answer = await ask(site, operation);
  // The service may use an idle connection once more before it notices that it was cut.
  while (onNewConnection && !target.isDone(answer) && proxy.fired === before) {
    sentAt = performance.now();
    answer = await ask(site, operation);
  }
  proxy.disarm();
  const fired = proxy.fired - before;
  if (fired > 0 && !target.isDone(answer)) site.unanswered.add(account);
  const name = nameOf(answer);
  site.answers[name] = (site.answers[name] ?? 0) + 1;
  if (!target.isDone(answer) && answer?.status !== 503) {
    site.odd.push({ target: target.name, where, onNewConnection, answer: name });
  }
  const status = { path: `/v1/data-import/account-transfer-status/${supplier.code}/none/`, token: supplier.token };
  await timeUntil(async () => (await send(site.world.url(), status))?.status === 404);
  site.slowestMs = Math.max(site.slowestMs, performance.now() - sentAt);
  if (!target.retried || target.isDone(answer)) return fired;
  do {
    await delay(5);
    answer = await ask(site, operation);
  } while (isInDoubt(answer));
  if (!target.isDone(answer)) site.odd.push({ target: target.name, where, onNewConnection, repeat: nameOf(answer) });
  return fired;
}

/** An endpoint whose database connection is cut, and what its client may do then. */
interface CutTarget {
  /** The prefix of its account numbers. */
  name: string;
  operation: OperationName;
  /** The steps before it. */
  after: readonly OperationName[];
  request(supplier: Supplier, account: string): Operation & { headers?: Record<string, string> };
  /** Whether the client may repeat it; if not, it takes effect at most once. */
  retried: boolean;
  isDone(answer: Answer | undefined): boolean;
}

const isSuccess = (answer: Answer | undefined): boolean => answer?.status === 200 || answer?.status === 201;
const wasImported = (answer: Answer | undefined) => nameOf(answer) === '400 account_import_process_already_imported';

interface Marks {
  isUnchecked?: boolean;
  isKeyed?: boolean;
}

const target = (
  name: string,
  operation: OperationName,
  { isUnchecked = false, isKeyed = false }: Marks = {},
): CutTarget => ({
  name,
  operation,
  after: stepsBefore(operation),
  request(supplier, account) {
    const { path, body } = operationOn(supplier, account, operation);
    const headers = { 'Idempotency-Key': `key-of-${account}` };
    return { path: isUnchecked ? `${path}${UNCHECKED}` : path, body, ...(isKeyed && { headers }) };
  },
  // Unchecked and without a key, it adds each time it is sent: neither the client nor the service may repeat it.
  retried: isKeyed || !isUnchecked,
  // With a key a lost 201 is a 201 again.
  isDone: (answer) => isSuccess(answer) || (operation === 'process' && !isKeyed && wasImported(answer)),
});

const CUT_TARGETS: readonly CutTarget[] = [
  ...OPERATIONS.map((operation) => target(operation, operation)),
  target('unchecked', 'transactions', { isUnchecked: true }),
  target('keyed-process', 'process', { isKeyed: true }),
  target('keyed-transactions', 'transactions', { isKeyed: true, isUnchecked: true }),
];

/** Accounts on which a target did not take effect the expected number of times. */
function miscounted(effects: readonly Effects[]): unknown[] {
  return effects.flatMap((one) => {
    const meant = CUT_TARGETS.find(({ name }) => one.account.startsWith(`${name}#`));
    if (meant === undefined) return [];
    const times = timesCounted(one, meant.operation);
    return times === 1 || (times === 0 && !meant.retried) ? [] : [{ times, ...one }];
  });
}

function stepsBefore(operation: OperationName): readonly OperationName[] {
  if (operation === 'stage') return [];
  return operation === 'process' ? ['stage'] : ['stage', 'process'];
}
