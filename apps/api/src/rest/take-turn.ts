let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop of its own, after all who asked before: in between, sockets are served. */
export function takeTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
