import { setTimeout as delay } from 'node:timers/promises';
import { operationOn } from './operations.ts';
import { nameOf, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** Checks one instance of the service, as a client and as an operator. */
export interface Probe {
  /** Answers that no failure of the database allows: neither success nor 503 with Retry-After, or not alive. */
  odd: unknown[];
  /** Whether `/readyz` has said 503. */
  toldNotReady: boolean;
  /** Writes that were refused with 503. */
  refused: number;
  /** How long it took until a write was refused or answered incorrectly; Infinity if neither happened. */
  untilRefused(patienceMs: number): Promise<number>;
  /** How long it took until writes were refused and `/readyz` reported it; Infinity if not in time. */
  untilDown(patienceMs: number): Promise<number>;
  /**
   * How long it took until several consecutive writes were accepted, `/readyz` was 200 with each of them, and `isThere`
   * held; Infinity if not in time.
   */
  untilBack(patienceMs: number, isThere?: () => boolean): Promise<number>;
}

const PAUSE_MS = 20;
/** A server that was just struck may still answer once or twice. */
const GOOD_IN_A_ROW = 5;

export function createProbe(world: ServiceWorld, supplier: Supplier, instance = 0): Probe {
  let asked = 0;
  const probe: Probe = {
    ...{ odd: [], toldNotReady: false, refused: 0 },
    untilRefused: (patienceMs) => until(patienceMs, 1, ({ write }) => write >= 300),
    untilDown: (patienceMs) => until(patienceMs, 1, ({ write, ready }) => write === 503 && ready === 503),
    untilBack: (patienceMs, isThere = () => true) =>
      until(patienceMs, GOOD_IN_A_ROW, ({ write, ready }) => write < 300 && ready === 200 && isThere()),
  };

  async function ask(): Promise<{ write: number; ready: number }> {
    asked += 1;
    const url = world.url(instance);
    const operation = { ...operationOn(supplier, `PROBE-${asked}`, 'stage'), token: supplier.token };
    const [write, ready, health] = await Promise.all([
      send(url, operation),
      send(url, { path: '/readyz' }),
      send(url, { path: '/healthz' }),
    ]);
    const isRefused = write?.status === 503 && write.headers.has('retry-after');
    const isTaken = write?.status === 200 || write?.status === 201;
    if (!isRefused && !isTaken) probe.odd.push({ write: nameOf(write), body: write?.body });
    if (ready?.status !== 200 && ready?.status !== 503) probe.odd.push({ ready: nameOf(ready) });
    if (health?.status !== 200) probe.odd.push({ health: nameOf(health) });
    if (ready?.status === 503) probe.toldNotReady = true;
    if (isRefused) probe.refused += 1;
    return { write: write?.status ?? 0, ready: ready?.status ?? 0 };
  }

  async function until(patienceMs: number, inARow: number, isSo: (seen: { write: number; ready: number }) => boolean) {
    const startedAt = performance.now();
    let since = Number.POSITIVE_INFINITY;
    for (let times = 0; times < inARow; await delay(PAUSE_MS)) {
      const atMs = performance.now() - startedAt;
      if (atMs > patienceMs) return Number.POSITIVE_INFINITY;
      times = isSo(await ask()) ? times + 1 : 0;
      if (times === 1) since = performance.now() - startedAt;
    }
    return since;
  }

  return probe;
}
