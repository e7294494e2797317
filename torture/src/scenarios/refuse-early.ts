import { setTimeout as delay } from 'node:timers/promises';
import { percentile, type Timed } from '@causeway/testing';
import type { LightAnswer } from '../rig/light-client.ts';
import { createStagingLoad } from '../rig/staging-load.ts';
import { startWorld, type World } from '../rig/start-world.ts';
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
    const probing = probe(world, probes.signal);
    const calls = await load.run({ ratePerSecond: OVERLOAD * capacity, durationMs: seconds * 1_000 });
    probes.abort();
    const closedDoors = await probing;
    await delay(Math.min(NORMAL_AFTER_MS, seconds * 200));
    const after = await load.run({ ratePerSecond: capacity / 4, durationMs: Math.min(10_000, seconds * 100) });

    const { accepted, refused, other } = sort(calls);
    const goodput = accepted.length / seconds;
    const [row] = await world.query<{ staged: number }>('SELECT count(*)::int AS staged FROM account_imports');
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
          'an answer to an overload other than 201 and 503 with Retry-After',
          other.map(({ outcome }) => outcome),
        ),
        exactly('accounts staged, of those acknowledged', row?.staged ?? 0, load.acknowledged),
        exactly('calls were refused', String(refused.length > 0), 'true'),
        none('health or metrics closed meanwhile', closedDoors),
        none(
          'calls refused after the overload',
          sort(after)
            .refused.concat(sort(after).other)
            .map(({ outcome }) => outcome),
        ),
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
  const isRefused = ({ outcome }: Timed<LightAnswer>) => outcome.status === 503 && outcome.retryAfter;
  const isAccepted = ({ outcome }: Timed<LightAnswer>) => outcome.status === 201;
  return {
    accepted: calls.filter(isAccepted),
    refused: calls.filter(isRefused),
    other: calls.filter((call) => !isAccepted(call) && !isRefused(call)),
  };
}

/** Asks for health and metrics all the while; what did not answer 200. */
async function probe(world: World, signal: AbortSignal): Promise<string[]> {
  const closed: string[] = [];
  while (!signal.aborted) {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const { status } = await fetch(world.url() + path);
      if (status !== 200) closed.push(`${path} ${status}`);
    }
    await delay(PROBE_EVERY_MS);
  }
  return closed;
}
