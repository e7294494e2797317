import { parseArgs } from 'node:util';

/** What the demo's command line says. */
export interface DemoOptions {
  /** How many accounts of the book to move. */
  accounts: number;
  /** Stop after the summary instead of serving until Ctrl-C. */
  exit: boolean;
}

const MAX_ACCOUNTS = 10_000;

/** Reads `--accounts 50` and `--exit`. Throws an Error that says what may be written where something else is. */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    // pnpm hands over the "--" that some put before a script's own options.
    args: args.filter((argument) => argument !== '--'),
    options: { accounts: { type: 'string', default: '200' }, exit: { type: 'boolean', default: false } },
  });
  const accounts = Number(values.accounts);
  if (!Number.isInteger(accounts) || accounts < 1 || accounts > MAX_ACCOUNTS) {
    throw new Error(`--accounts takes a whole number from 1 to ${MAX_ACCOUNTS}.`);
  }
  return { accounts, exit: values.exit };
}
