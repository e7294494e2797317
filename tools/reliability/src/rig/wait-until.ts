import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;

/** Looks again and again, and gives up after a while: whether it came. */
export async function waitUntil(look: () => boolean | Promise<boolean>, mostMs: number): Promise<boolean> {
  const until = performance.now() + mostMs;
  while (!(await look())) {
    if (performance.now() > until) return false;
    await delay(LOOK_EVERY_MS);
  }
  return true;
}
