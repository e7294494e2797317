import { awaited, noLongerAwaited } from '@causeway/testing/waits';
import { vi } from 'vitest';

/** Looks every now and then whether it is so: to look without a pause would keep the service from becoming it. */
export async function until(isSo: () => Promise<boolean> | boolean, pauseMs = 40): Promise<void> {
  const condition = {};
  awaited(condition, `this to be true: ${isSo}`);
  await vi.waitUntil(isSo, { interval: pauseMs, timeout: 600_000 }).finally(() => noLongerAwaited(condition));
}
