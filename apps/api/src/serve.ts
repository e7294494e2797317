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
  let stopping = false;
  // A service that is still starting may have launched its database, which must be stopped too.
  const stop = (leave: () => never) => {
    if (!stopping) {
      stopping = true;
      starting.then((service) => service.stop()).then(leave, fail);
    }
  };
  // A signal may arrive twice, from the terminal and from pnpm: the second must not cut the drain short.
  const leave = () => stop(() => process.exit(0));
  for (const signal of STOP_SIGNALS) process.on(signal, leave);
  // A process with an IPC channel to it (the demo) started it for itself: the service ends with that process, even if
  // it is killed.
  process.on('disconnect', leave);
  if (process.send !== undefined && !process.connected) leave();
  const service = await starting;
  if (stopping) return;
  void service.failure.then((error) => stop(() => fail(error)));
  if (service.newStaffApiKey !== undefined) {
    process.stderr.write(`The first staff API key, shown this once: ${service.newStaffApiKey}\n`);
  }
  process.stderr.write(`Causeway serves at ${service.url} (documentation: ${service.url}/docs)\n`);
  // Now, since a process that is killed keeps nothing.
  flushCompileCache();
  collectGarbage();
}

/** What the start has left, from which V8 also takes how far the heap may grow (docs/decisions/0014). */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
