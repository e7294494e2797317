import type { Context, OutsideTransaction } from '../shared/context.ts';

/** Not a failure: the transaction is rolled back because something has to be done outside it first. */
export class LeavesTransaction extends Error {
  override readonly name = 'LeavesTransaction';
}

/** Each time, what has to be done outside had changed meanwhile. */
const MAX_RUNS = 10;

/**
 * Runs `attempt`, which opens a transaction. If its work calls `outsideTransaction`, the transaction is rolled back,
 * what was asked for is done with `context`, and the attempt is made again: then the call has its result, or throws its
 * error.
 */
export async function leavingTransactions<T>(
  context: Context,
  attempt: (outsideTransaction: OutsideTransaction) => Promise<T>,
): Promise<T> {
  const results = new Map<string, Promise<unknown>>();
  for (;;) {
    let next: { key: string; work: (outside: Context) => Promise<unknown> } | undefined;
    try {
      return await attempt(async (key, work) => {
        if (!results.has(key)) {
          next = { key, work };
          throw new LeavesTransaction();
        }
        return results.get(key) as ReturnType<typeof work>;
      });
    } catch (error) {
      if (next === undefined || results.size === MAX_RUNS) throw error;
      const result = next.work(context);
      results.set(next.key, result);
      await result.catch(() => undefined);
    }
  }
}
