import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
const MAX_KEYS = 20_000;

/** Counts calls per minute by key, on this instance only and in bounded memory, without a query. */
export interface CallCounter {
  /** The seconds to wait if the key has used up its calls. */
  waitFor(key: string): number | undefined;
  count(key: string): void;
}

/**
 * A window begins with a key's first call. Calls over the limit are not counted, so that a flood ends with its window.
 */
export function createCallCounter(limit: number, clock: () => Date): CallCounter {
  const windows = boundedCache<{ calls: number; startedAt: number }>(MAX_KEYS);

  function current(key: string) {
    const window = windows.get(key);
    const age = window === undefined ? Number.NaN : clock().getTime() - window.startedAt;
    return age >= 0 && age < WINDOW_MS ? window : undefined;
  }

  return {
    waitFor(key) {
      const window = current(key);
      if (window === undefined || window.calls < limit) return undefined;
      return Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - clock().getTime()) / 1_000));
    },
    count(key) {
      const window = current(key);
      if (window === undefined) windows.set(key, { calls: 1, startedAt: clock().getTime() });
      else window.calls += 1;
    },
  };
}

/**
 * The entries that were used last, so many at most. Bounded by `max`, lru-cache would allocate the place of all of them
 * at once: a start of the service would take a tenth longer.
 */
export function boundedCache<Value extends object | string | number>(entries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: entries, sizeCalculation: () => 1 });
}
