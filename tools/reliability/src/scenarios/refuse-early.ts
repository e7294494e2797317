import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@causeway/testing';
import { operationOn } from '../rig/operations.ts';
import { send } from '../rig/send.ts';
import { createPortfolioLoad } from '../rig/staging-load.ts';
import { LIMITS_OF_PRODUCTION, type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { timeUntil } from '../rig/wait.ts';
import { dependingOnSpeed, exactly, isSo, none, type Outcome, type Scenario, within } from '../scenario.ts';

const OVERLOAD = 3;
const ACCEPTED_WITHIN_MS = 1_000;
const REFUSED_WITHIN_MS = 50;
const ACCEPTED_AGAIN_WITHIN_MS = 10_000;
const NORMAL_AFTER_MS = 10_000;
const GOODPUT = 0.9;
const PROBE_EVERY_MS = 500;

/** Three times the service's capacity, in an open loop: it does what it can and refuses the rest immediately. */
export const refuseEarly: Scenario = {
  row: 9,
  title: 'three times the capacity, open loop',
  alone: true,
  unit: 'seconds',
  full: 600,
  short: 3,
  async run(seconds, random): Promise<Outcome> {
    await using world = await startWorld({ variables: LIMITS_OF_PRODUCTION, dropLog: true });
    const supplier = await world.createSupplier();
    const load = createPortfolioLoad(world, supplier, random);
    const measuredMs = Math.min(30_000, Math.max(2_000, seconds * 100));
    await load.measureCapacity(measuredMs);
    const capacity = await load.measureCapacity(measuredMs);
    const probes = new AbortController();
    const probing = probe(world, probes.signal);
    const overload = await load.offer({ ratePerSecond: OVERLOAD * capacity, durationMs: seconds * 1_000 });
    const sinceOverload = () => performance.now() - overload.endedAt;
    const againMs = (await isAcceptedAgain(world, supplier)) ? sinceOverload() : Number.POSITIVE_INFINITY;
    probes.abort();
    const { closed, notReady } = await probing;
    await delay(Math.max(0, Math.min(NORMAL_AFTER_MS, seconds * 200) - sinceOverload()));
    const after = await load.offer({ ratePerSecond: capacity / 4, durationMs: Math.min(10_000, seconds * 100) });

    const { calls, accepted, refused, other, lateness } = overload;
    const goodput = accepted.length / seconds;
    const share = goodput / capacity;
    const [acceptedMs, refusedMs, afterMs, lateMs] = [accepted, refused, after.accepted, lateness].map((values) =>
      percentile(values, 0.99),
    ) as [number, number, number, number];
    return {
      figures: `accounts of ${Math.round(load.bodyBytes / 1000)} kB staged: capacity ${Math.round(capacity)}/s, offered ${Math.round(calls / seconds)}/s, goodput ${Math.round(goodput)}/s (${Math.round(100 * share)} %), accepted p99 ${Math.round(acceptedMs)} ms, ${refused.length} refused with p99 ${Math.round(refusedMs)} ms, accepted again ${Math.round(againMs)} ms after the overload's end, p99 afterwards ${Math.round(afterMs)} ms, the generator's own lateness p99 ${lateMs.toFixed(1)} ms`,
      claims: [
        ...none({ 'an answer to an overload other than 201 and 503 service_unavailable with Retry-After': other }),
        exactly(
          'accounts stored as they were sent, of those acknowledged',
          await load.countWhole(),
          load.acknowledged(),
        ),
        ...none({ 'health or metrics closed meanwhile': closed }),
        isSo('a call is accepted again after the overload', againMs < Number.POSITIVE_INFINITY),
        // A measurement on a busy machine is too low, and too little load would be offered afterwards.
        ...dependingOnSpeed([
          isSo('calls were refused', refused.length > 0),
          ...none({
            'not ready meanwhile': notReady,
            'calls refused after the overload': [...after.refused, ...after.other],
          }),
        ]),
        {
          what: 'goodput of the peak',
          holds: share >= GOODPUT,
          found: `${Math.round(100 * share)} %`,
          dependsOnSpeed: true,
        },
        within('from the end of the overload until a call was accepted', againMs, ACCEPTED_AGAIN_WITHIN_MS),
        within('p99 of what was accepted', acceptedMs, ACCEPTED_WITHIN_MS),
        within('p99 of a refusal', refusedMs, REFUSED_WITHIN_MS),
        within('p99 after the overload', afterMs, 250),
      ],
    };
  },
};

interface Probed {
  /** Answers of the endpoints that stay open. */
  closed: string[];
  notReady: string[];
}

/** Requests health and metrics throughout. */
async function probe(world: World, signal: AbortSignal): Promise<Probed> {
  const probed: Probed = { closed: [], notReady: [] };
  while (!signal.aborted) {
    for (const door of ['/healthz', '/metrics', '/readyz']) {
      const status = (await send(world.url(), { path: door }))?.status;
      if (status !== 200) probed[door === '/readyz' ? 'notReady' : 'closed'].push(`${door} ${status}`);
    }
    await delay(PROBE_EVERY_MS);
  }
  return probed;
}

async function isAcceptedAgain(world: World, supplier: Supplier): Promise<boolean> {
  const operation = { ...operationOn(supplier, 'AFTERWARDS', 'stage'), token: supplier.token };
  return Number.isFinite(await timeUntil(async () => (await send(world.url(), operation))?.status === 201));
}
