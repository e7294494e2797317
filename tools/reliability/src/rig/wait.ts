import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;

/** How long it took until the condition held, in milliseconds; Infinity if not within `patienceMs`. */
export async function timeUntil(isSo: () => Promise<boolean> | boolean, patienceMs = 600_000): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const isNow = await isSo();
    const elapsed = performance.now() - startedAt;
    if (isNow) return elapsed;
    if (elapsed > patienceMs) return Number.POSITIVE_INFINITY;
    await delay(LOOK_EVERY_MS);
  }
}

/** Looks again and again, and gives up after a while: whether it came. */
export const waitUntil = async (isSo: () => Promise<boolean> | boolean, patienceMs?: number): Promise<boolean> =>
  Number.isFinite(await timeUntil(isSo, patienceMs));

/** Performs all tasks in order, `lanes` of them concurrently. */
export async function inLanes(lanes: number, tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = tasks.values();
  const work = async () => {
    for (const task of left) await task();
  };
  await Promise.all(Array.from({ length: lanes }, work));
}
