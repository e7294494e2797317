import { Failure } from '../frame/failure.ts';
import { quoted } from '../terminal/lines.ts';

/** Ends a command because only a flag can say how a file is written. */
export class Question extends Failure {
  /** Flags that answer it, or would by its likeliest answer. */
  readonly flags: readonly string[];

  constructor(sentence: string, { lines, flags }: { lines: readonly string[]; flags: readonly string[] }) {
    super('usage', sentence, { lines });
    this.flags = flags;
  }
}

/** A flag with its value, as a shell takes it; `flag` is the part before the value: `--encoding accounts=`. */
export function flagWith(flag: string, value: string | number): string {
  const [name = '', ...scope] = flag.split(' ');
  return `${name} ${quoted(`${scope.join(' ')}${value}`)}`;
}

/**
 * Checks all of them, and throws what is wrong with any of them together: nobody has to run a command once a file to learn
 * what it asks.
 *
 * @param commandWith the lines of a command that has these flags too
 */
export async function checkEach<Item>(
  items: readonly Item[],
  check: (one: Item, index: number) => void | Promise<void>,
  commandWith: (flags: readonly string[]) => readonly string[] = () => [],
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
  const [first, ...others] = refused;
  if (first === undefined) return;
  const lines = [...first.lines];
  for (const other of others) {
    // Advice that was given is not repeated; what is asked of another file is another question.
    const more = other instanceof Question ? other.lines : other.lines.filter((line) => !lines.includes(line));
    lines.push(other.message, ...more);
  }
  const flags = refused.flatMap((one) => (one instanceof Question ? one.flags : []));
  if (flags.length === 0) throw new Failure('usage', first.message, { lines });
  throw new Question(first.message, { lines: [...lines, ...commandWith(flags)], flags });
}
