import { vi } from 'vitest';

/** Looks every now and then whether it is so: to look without a pause would keep the service from becoming it. */
export function until(isSo: () => Promise<boolean> | boolean): Promise<boolean> {
  return vi.waitUntil(isSo, { interval: 40, timeout: 600_000 });
}
