import { Failure } from '../frame/failure.ts';

/** Checks all of them, and throws what is wrong with any of them together. */
export async function checkEach<Item>(
  items: readonly Item[],
  check: (one: Item, index: number) => void | Promise<void>,
): Promise<void> {
  const refused: Failure[] = [];
  for (const [index, one] of items.entries()) {
    try {
      await check(one, index);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push(error);
    }
  }
  const [sentence, ...lines] = refused.flatMap(({ message, lines: more }) => [message, ...more]);
  if (sentence !== undefined) throw new Failure('usage', sentence, { lines: [...new Set(lines)] });
}
