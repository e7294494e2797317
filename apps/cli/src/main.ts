import { isMainThread } from 'node:worker_threads';
import { EXIT_CODES } from './frame/failure.ts';
import { MAPPING_PROCESS } from './mapping/messages.ts';
import type { run as Run } from './run.ts';

// The one file that is built is also the file of its threads and of the process that runs a mapping.
if (process.argv[2] === MAPPING_PROCESS) {
  void import('./mapping/process.ts').then(({ startMappingProcess }) => startMappingProcess());
} else if (isMainThread) void import('./run.ts').then(({ run }) => start(run));
else void import('./validate/check-in-thread.ts').then(({ checkInThread }) => checkInThread());

function start(run: typeof Run): void {
  // Customers are in books, in rejected and failed rows, and in results.
  process.umask(0o077);
  const stopping = new AbortController();
  // The second signal ends the process at once: what was reached is on the disk.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stopping.abort());
  }
  // Node 22 calls its SQLite an experiment, on the stderr of our users.
  const [print] = process.listeners('warning');
  process.removeAllListeners('warning').on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') print?.(warning);
  });
  // Anyone who reads the output has gone, as in `causeway list | head`: the command did not come to its end.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    process.exit((code === 'EPIPE' ? EXIT_CODES.interrupted : EXIT_CODES.unexpected).code);
  });

  // pnpm runs a script of the repository in the repository, whatever folder its user is in.
  const { INIT_CWD, npm_lifecycle_event: script } = process.env;

  void run(process.argv.slice(2), {
    variables: process.env,
    directory: script === 'causeway' && INIT_CWD !== undefined ? INIT_CWD : process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    stop: stopping.signal,
    now: () => new Date(),
  }).then((code) => {
    process.exitCode = code;
  });
}
