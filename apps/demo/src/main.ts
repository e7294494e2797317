import { readOptions } from './read-options.ts';
import { runDemo } from './run-demo.ts';
import { createScreen } from './screen.ts';

/** All signals that ask a process to end, from a terminal or a supervisor. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** `pnpm demo`: behaviour 18. */
async function main(): Promise<number> {
  const stopping = new AbortController();
  // Ctrl-C may arrive twice, from the terminal and from pnpm: neither must cut the service's shutdown short.
  for (const signal of STOP_SIGNALS) process.on(signal, () => stopping.abort());
  const options = readOptions(process.argv.slice(2));
  const screen = createScreen(process.stdout);
  return await runDemo({ options, variables: process.env, screen, stop: stopping.signal });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`\n  ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
