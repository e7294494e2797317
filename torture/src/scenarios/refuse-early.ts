import { setTimeout as delay } from 'node:timers/promises';
import { percentile, type Timed } from '@causeway/testing';
import { readInterface } from '../fuzz/published-interface.ts';
import { timeUntil } from '../rig/gate.ts';
import type { LightAnswer } from '../rig/light-client.ts';
import { operationOn } from '../rig/operations.ts';
import { send } from '../rig/send.ts';
import { createStagingLoad } from '../rig/staging-load.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const OVERLOAD = 3;
const ACCEPTED_WITHIN_MS = 1_000;
const REFUSED_WITHIN_MS = 50;
const NORMAL_AFTER_MS = 10_000;
const GOODPUT = 0.9;
const PROBE_EVERY_MS = 500;

/** Three times as many calls as the service manages, in an open loop: it does what it can and refuses the rest at once. */
export const refuseEarly: Scenario = {
  row: 9,
  title: 'three times the capacity, open loop',
  alone: true,
  unit: 'seconds',
  full: 600,
  async run(seconds, random): Promise<Outcome> {
    await using world = await startWorld({ variables: { MAX_EVENT_LOOP_DELAY_MS: '' } });
    const supplier = await world.createSupplier();
    using load = createStagingLoad(world, supplier, random);
    const measuredMs = Math.min(30_000, Math.max(2_000, seconds * 100));
    await load.measureCapacity(measuredMs);
    const capacity = await load.measureCapacity(measuredMs);
    const probes = new AbortController();
    const probing = probe(world, supplier, probes.signal);
    const calls = await load.run({ ratePerSecond: OVERLOAD * capacity, durationMs: seconds * 1_000 });
    probes.abort();
    const { closed, notReady, undocumented } = await probing;
    const acceptsAgain = await acceptedInTheEnd(world, supplier);
    await delay(Math.min(NORMAL_AFTER_MS, seconds * 200));
    const after = await load.run({ ratePerSecond: capacity / 4, durationMs: Math.min(10_000, seconds * 100) });

    const { accepted, refused, other } = sort(calls);
    const goodput = accepted.length / seconds;
    const [row] = await world.query<{ staged: number }>(
      "SELECT count(*)::int AS staged FROM account_imports WHERE external_account_number LIKE 'LOAD-%'",
    );
    const p99 = (timed: readonly Timed<LightAnswer>[]) =>
      percentile(
        timed.map(({ latencyMs }) => latencyMs),
        0.99,
      );
    const share = goodput / capacity;
    return {
      figures: `capacity ${Math.round(capacity)}/s, offered ${Math.round(calls.length / seconds)}/s, goodput ${Math.round(goodput)}/s (${Math.round(100 * share)} %), accepted p99 ${Math.round(p99(accepted))} ms, ${refused.length} refused with p99 ${Math.round(p99(refused))} ms, p99 afterwards ${Math.round(p99(after))} ms`,
      claims: [
        none(
          'an answer to an overload other than 201 and 503 service_unavailable with Retry-After',
          other.map(({ outcome }) => outcome),
        ),
        exactly('accounts staged, of those acknowledged', row?.staged ?? 0, load.acknowledged),
        exactly('accounts stored as they were sent, of those acknowledged', await load.countWhole(), load.acknowledged),
        none('an answer meanwhile that is not as documented', undocumented),
        none('health or metrics closed meanwhile', closed),
        exactly('a call is accepted again after the overload', String(acceptsAgain), 'true'),
        // Who measured while the machine was busy offers too little afterwards.
        { ...exactly('calls were refused', String(refused.length > 0), 'true'), dependsOnSpeed: true },
        { ...none('not ready meanwhile', notReady), dependsOnSpeed: true },
        {
          ...none(
            'calls refused after the overload',
            sort(after)
              .refused.concat(sort(after).other)
              .map(({ outcome }) => outcome),
          ),
          dependsOnSpeed: true,
        },
        {
          what: 'goodput of the peak',
          holds: share >= GOODPUT,
          found: `${Math.round(100 * share)} %`,
          dependsOnSpeed: true,
        },
        within('p99 of what was accepted', p99(accepted), ACCEPTED_WITHIN_MS),
        within('p99 of a refusal', p99(refused), REFUSED_WITHIN_MS),
        within('p99 after the overload', p99(after), 250),
      ],
    };
  },
};

function sort(calls: readonly Timed<LightAnswer>[]) {
  const isRefused = ({ outcome }: Timed<LightAnswer>) =>
    outcome.status === 503 && outcome.retryAfter && outcome.code === 'service_unavailable';
  const isAccepted = ({ outcome }: Timed<LightAnswer>) => outcome.status === 201;
  return {
    accepted: calls.filter(isAccepted),
    refused: calls.filter(isRefused),
    other: calls.filter((call) => !isAccepted(call) && !isRefused(call)),
  };
}

interface Probed {
  /** Of the doors that stay open. */
  closed: string[];
  notReady: string[];
  undocumented: unknown[];
}

/** Asks for health and metrics all the while, and compares an answer to a supplier with the document. */
async function probe(world: World, supplier: Supplier, signal: AbortSignal): Promise<Probed> {
  const { operations, problemsOf } = await readInterface(world.url());
  const { path, body } = operationOn(supplier, 'PROBE', 'stage');
  const operation = operations.find((one) => one.path === path);
  if (operation === undefined) throw new Error(`${path} is not documented`);
  const probed: Probed = { closed: [], notReady: [], undocumented: [] };
  while (!signal.aborted) {
    for (const door of ['/healthz', '/metrics', '/readyz']) {
      const status = (await send(world.url(), { path: door }))?.status;
      if (status !== 200) probed[door === '/readyz' ? 'notReady' : 'closed'].push(`${door} ${status}`);
    }
    const answer = await send(world.url(), { path, body, token: supplier.token });
    const problems = answer === undefined ? ['no answer'] : problemsOf(operation, 'POST', answer);
    if (problems.length > 0) probed.undocumented.push({ problems, answer });
    await delay(PROBE_EVERY_MS);
  }
  return probed;
}

async function acceptedInTheEnd(world: World, supplier: Supplier): Promise<boolean> {
  const operation = { ...operationOn(supplier, 'AFTERWARDS', 'stage'), token: supplier.token };
  return Number.isFinite(await timeUntil(async () => (await send(world.url(), operation))?.status === 201));
}
