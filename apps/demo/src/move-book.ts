import type { SampleAccount } from './book/sample-book.ts';
import { moveAccount, type Road } from './move-account.ts';
import type { Outcome } from './outcome.ts';

const ACCOUNTS_AT_ONCE = 8;

/** Moves the accounts, eight at a time, and tells their outcomes in the book's order; stops early when `stop` is aborted. */
export async function moveBook(
  road: Road,
  book: readonly SampleAccount[],
  { stop, onMoved }: { stop: AbortSignal; onMoved: (moved: number) => void },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = book.entries();
  let moved = 0;
  const worker = async () => {
    for (const [position, account] of queue) {
      if (stop.aborted) return;
      outcomes[position] = await moveAccount(road, account);
      moved += 1;
      onMoved(moved);
    }
  };
  await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, worker));
  return outcomes;
}
