import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readEnvironment } from './env.ts';
import { startService } from './service.ts';
import { STOP_SIGNALS } from './stop-signals.ts';

/**
 * Serves until a signal asks it to stop or its database is permanently lost, then drains and exits (behaviour 16.6).
 */
export async function serve(variables: Record<string, string | undefined>): Promise<void> {
  await untilServing(variables).catch(fail);
}

async function untilServing(variables: Record<string, string | undefined>): Promise<void> {
  const starting = startService(readEnvironment(variables));
  const hurry = new AbortController();
  let stopping = false;
  // A service that is still starting may have launched its database, which must be stopped too.
  const stop = (reason: string, leave: () => never) => {
    // A signal may arrive twice, from the terminal and from pnpm: the second ends SHUTDOWN_DELAY_MS, but must not cut
    // the drain short.
    if (stopping) return hurry.abort();
    stopping = true;
    starting
      .then(async (service) => {
        await service.retire(reason, hurry.signal);
        await service.stop(reason);
      })
      .then(leave, fail);
  };
  const leave = (reason: string) => stop(reason, () => process.exit(0));
  for (const signal of STOP_SIGNALS) process.on(signal, () => leave(signal));
  // A process with an IPC channel to it (the demo) started it for itself: the service ends with that process, even if
  // it is killed.
  const leaveAlone = () => leave('its parent process ended');
  process.on('disconnect', leaveAlone);
  if (process.send !== undefined && !process.connected) leaveAlone();
  const service = await starting;
  // Node prints it to standard error and exits with 1; what was logged is written before that.
  process.on('uncaughtExceptionMonitor', (error, origin) =>
    service.logger.fatal({ error, origin }, 'uncaught_exception'),
  );
  if (stopping) return;
  void service.failure.then((error) => {
    hurry.abort();
    stop('failure', () => fail(error));
  });
  if (service.newStaffApiKey !== undefined) {
    process.stderr.write(`The first staff API key, shown this once: ${service.newStaffApiKey}\n`);
  }
  process.stderr.write(
    `Causeway serves at ${service.url} (documentation: ${service.url}/docs, console: ${service.url}/console/)\n`,
  );
  // Now, since a process that is killed keeps nothing.
  flushCompileCache();
  settleHeap();
}

/** How long after its last full collection V8 may shrink the heap of an idle process (docs/decisions/0014). */
const HEAP_SHRINKS_AFTER_MS = 600_000;

/** Collects the start's garbage; from what remains V8 also decides how far the heap may grow. */
function settleHeap(): void {
  // Before the collection, which starts the delay.
  setFlagsFromString(`--memory-reducer-delay-ms=${HEAP_SHRINKS_AFTER_MS}`);
  setFlagsFromString('--expose-gc');
  // V8 drops the hidden class of queued ticks if it collects while none is queued, and every later tick is slower.
  process.nextTick(() => {});
  runInNewContext('gc')();
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
