import { setTimeout as wait } from 'node:timers/promises';

/** Thrown where a call would have to wait and may not. */
export class Halted extends Error {}

/** Waits; throws a `Halted` as soon as `halt` is aborted. */
export async function pause(ms: number, halt: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: halt }).catch(() => {
    throw new Halted();
  });
}
