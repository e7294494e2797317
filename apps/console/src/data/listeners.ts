/** Those who want to know of a change, for `useSyncExternalStore` and the like. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    /** Returns what ends it. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(): void {
      for (const listener of listeners) listener();
    },
  };
}
