import { setTimeout as delay } from 'node:timers/promises';
import type { Direction, Fault, FaultProxy, Random } from '@causeway/testing';
import { type Effects, readEffects, timesCounted } from '../rig/effects.ts';
import {
  knownInstruction,
  OPERATIONS,
  type OperationName,
  operationOn,
  performSteps,
  STILL_AT_IT,
  UNCHECKED,
} from '../rig/operations.ts';
import { type Answer, nameOf, type Request, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { timeUntil } from '../rig/wait.ts';
import { exactly, isSo, listed, none, type Outcome, type Scenario } from '../scenario.ts';

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
      ...{ world, proxy, supplier, accounts: 0, odd: [], answers: {}, unanswered: new Set<string>() },
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
      figures: `${fired} cuts on ${CUT_TARGETS.length} writes, first answers: ${listed(site.answers)}`,
      claims: [
        exactly('cuts that happened', fired, cuts * CUT_TARGETS.length),
        ...none({
          'an answer to a cut request other than success and 503': site.odd,
          'counted other than once after the retries, or more than once without': miscounted(effects),
        }),
        isSo('some commits had counted that were not answered', addedUnanswered.length > 0),
        exactly('ends of the process', String(instance.process.exited), 'false'),
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
  /** The first answers to the requests that were cut, by name. */
  answers: Record<string, number>;
  /** Accounts whose request was cut and not completed by its first answer. */
  unanswered: Set<string>;
}

type Cut = Pick<Fault, 'direction' | 'at' | 'half'> & { onNewConnection: boolean };

const NEVER: Fault = { direction: 'to-server', at: { bytes: Number.MAX_SAFE_INTEGER }, does: 'cut' };

const ask = ({ world, supplier }: Site, operation: Request): Promise<Answer | undefined> =>
  send(world.url(), { ...operation, token: supplier.token });

/** An account that has gone through every step before the target's. */
async function prepare(site: Site, { name, operation }: CutTarget): Promise<string> {
  site.accounts += 1;
  const account = `${name}#${site.accounts}`;
  site.world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
  await performSteps(site.world, site.supplier, account, stepsBefore(operation));
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
): Promise<{ account: string; operation: Request }> {
  const before = requestOf(target, site.supplier, await prepare(site, target));
  const account = await prepare(site, target);
  const operation = requestOf(target, site.supplier, account);
  const answer = await ask(site, before);
  if (!isDone(target, answer)) throw new Error(`${target.name} answered ${nameOf(answer)} undisturbed`);
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
    while (!isDone(target, await ask(site, operation)));
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
  let answer = await ask(site, operation);
  // The service may use an idle connection once more before it notices that it was cut.
  while (onNewConnection && !isDone(target, answer) && proxy.fired === before) answer = await ask(site, operation);
  proxy.disarm();
  const fired = proxy.fired - before;
  if (fired > 0 && !isDone(target, answer)) site.unanswered.add(account);
  const name = nameOf(answer);
  site.answers[name] = (site.answers[name] ?? 0) + 1;
  if (!isDone(target, answer) && answer?.status !== 503) {
    site.odd.push({ target: target.name, where, onNewConnection, answer: name });
  }
  const status = { path: `/v1/data-import/account-transfer-status/${supplier.code}/none/`, token: supplier.token };
  await timeUntil(async () => (await send(site.world.url(), status))?.status === 404);
  if (!isRetried(target) || isDone(target, answer)) return fired;
  do {
    await delay(5);
    answer = await ask(site, operation);
  } while (isInDoubt(answer));
  if (!isDone(target, answer)) site.odd.push({ target: target.name, where, onNewConnection, repeat: nameOf(answer) });
  return fired;
}

/** An endpoint whose database connection is cut, and how its requests are sent. */
interface CutTarget {
  /** The prefix of its account numbers. */
  name: string;
  operation: OperationName;
  isUnchecked?: true;
  isKeyed?: true;
}

const CUT_TARGETS: readonly CutTarget[] = [
  ...OPERATIONS.map((operation) => ({ name: operation, operation })),
  { name: 'unchecked', operation: 'transactions', isUnchecked: true },
  { name: 'keyed-process', operation: 'process', isKeyed: true },
  { name: 'keyed-transactions', operation: 'transactions', isKeyed: true, isUnchecked: true },
];

function requestOf({ operation, isUnchecked, isKeyed }: CutTarget, supplier: Supplier, account: string): Request {
  const { path, body } = operationOn(supplier, account, operation);
  const headers = { 'Idempotency-Key': `key-of-${account}` };
  return { path: isUnchecked ? `${path}${UNCHECKED}` : path, body, ...(isKeyed && { headers }) };
}

/** Unchecked and without a key, it adds each time it is sent: neither the client nor the service may repeat it. */
const isRetried = ({ isUnchecked, isKeyed }: CutTarget): boolean => isKeyed === true || !isUnchecked;

/** With a key a lost 201 is a 201 again. */
function isDone({ operation, isKeyed }: CutTarget, answer: Answer | undefined): boolean {
  const wasImported = nameOf(answer) === '400 account_import_process_already_imported';
  return answer?.status === 200 || answer?.status === 201 || (operation === 'process' && !isKeyed && wasImported);
}

/** Accounts on which a target did not take effect the expected number of times. */
function miscounted(effects: readonly Effects[]): unknown[] {
  return effects.flatMap((one) => {
    const meant = CUT_TARGETS.find(({ name }) => one.account.startsWith(`${name}#`));
    if (meant === undefined) return [];
    const times = timesCounted(one, meant.operation);
    return times === 1 || (times === 0 && !isRetried(meant)) ? [] : [{ times, ...one }];
  });
}

function stepsBefore(operation: OperationName): readonly OperationName[] {
  if (operation === 'stage') return [];
  return operation === 'process' ? ['stage'] : ['stage', 'process'];
}
