const runningOf = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Serialises the work of one key within `scope` (an instance's database), in the order of arrival. */
export async function oneAtATime<T>(scope: object, key: string, work: () => Promise<T>): Promise<T> {
  const running = runningOf.get(scope) ?? new Map<string, Promise<unknown>>();
  runningOf.set(scope, running);
  const before = running.get(key);
  const mine = before === undefined ? work() : before.then(work, work);
  running.set(key, mine);
  try {
    return await mine;
  } finally {
    if (running.get(key) === mine) {
      running.delete(key);
    }
  }
}
