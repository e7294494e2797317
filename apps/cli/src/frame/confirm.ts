import { createInterface } from 'node:readline/promises';
import type { Context } from './define-command.ts';
import { Failure } from './failure.ts';

/**
 * Has a word typed before something that others will notice. `--yes` stands for it; where there is no terminal nothing
 * is asked, and without `--yes` it is a Failure.
 */
export async function confirm({ flags, stdin, output, stop }: Context, question: string, word: string): Promise<void> {
  if (flags.yes) return;
  if (stdin.isTTY !== true) {
    throw new Failure('usage', `${question} There is no terminal to ask on: give --yes to confirm.`);
  }
  output.ask(`${question} Type ${word} to continue: `);
  const lines = createInterface({ input: stdin, signal: stop });
  const { value = '' } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (stop.aborted) throw new Failure('interrupted', 'Interrupted: nothing was changed.');
  if (value.trim() !== word) throw new Failure('usage', `That is not ${word}: nothing was changed.`);
}
