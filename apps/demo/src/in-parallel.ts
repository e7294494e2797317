const AT_ONCE = 8;

/** Works through the items, eight at a time; their results in the items' order. Stops early when `stop` is aborted. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { stop, onDone }: { stop: AbortSignal; onDone?: (done: number) => void },
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  let done = 0;
  const worker = async () => {
    for (const [position, item] of queue) {
      if (stop.aborted) return;
      results[position] = await work(item);
      done += 1;
      onDone?.(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
