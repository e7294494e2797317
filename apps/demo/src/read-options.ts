import { parseArgs } from 'node:util';

/** What the demo's command line says. */
export interface DemoOptions {
  /** How many accounts of the book to move. */
  accounts: number;
  /** Move it by one upload instead of by calls. */
  bulk: boolean;
  /** Stop after the summary instead of serving until Ctrl-C. */
  exit: boolean;
}

const MAX_ACCOUNTS = 10_000;
const MAX_ACCOUNTS_IN_BULK = 1_000_000;

/** Reads `--accounts 50`, `--bulk` and `--exit`. Throws an Error that says what may be written where something else is. */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    // pnpm hands over the "--" that some put before a script's own options.
    args: args.filter((argument) => argument !== '--'),
    options: {
      accounts: { type: 'string', default: '200' },
      bulk: { type: 'boolean', default: false },
      exit: { type: 'boolean', default: false },
    },
  });
  const { bulk, exit } = values;
  const accounts = Number(values.accounts);
  const maximum = bulk ? MAX_ACCOUNTS_IN_BULK : MAX_ACCOUNTS;
  if (!Number.isInteger(accounts) || accounts < 1 || accounts > maximum) {
    throw new Error(`--accounts takes a whole number from 1 to ${maximum}${bulk ? '' : ', and more with --bulk'}.`);
  }
  return { accounts, bulk, exit };
}
