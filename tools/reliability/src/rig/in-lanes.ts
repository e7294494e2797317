/** Performs all tasks in order, `lanes` of them concurrently. */
export async function inLanes(lanes: number, tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...tasks];
  const work = async () => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: lanes }, work));
}
