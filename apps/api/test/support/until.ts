import { vi } from 'vitest';

/** Looks every now and then whether it is so: to look without a pause would keep the service from becoming it. */
export function until(isSo: () => Promise<boolean> | boolean, pauseMs = 40): Promise<boolean> {
  return vi.waitUntil(isSo, { interval: pauseMs, timeout: 600_000 });
}
