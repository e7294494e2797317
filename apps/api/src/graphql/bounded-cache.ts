import { LRUCache } from 'lru-cache';

/**
 * The entries that were used last, so many at most. Bounded by `max`, lru-cache would allocate the place of all of them
 * at once: a start of the service would take a tenth longer.
 */
export function boundedCache<Value extends object | string | number>(entries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: entries, sizeCalculation: () => 1 });
}
