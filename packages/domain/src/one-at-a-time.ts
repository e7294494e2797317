const running = new Map<string, Promise<unknown>>();

/** Runs the works of one key one after the other on this instance, in the order in which they were asked for. */
export async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
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
