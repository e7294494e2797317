import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readEnvironment } from './env.ts';
import { startService } from './service.ts';
import { STOP_SIGNALS } from './stop-signals.ts';

/** Serves until a signal asks it to end or its database is gone for good, then drains and leaves (behaviour 16.6). */
export async function serve(variables: Record<string, string | undefined>): Promise<void> {
  await untilServing(variables).catch(fail);
}

async function untilServing(variables: Record<string, string | undefined>): Promise<void> {
  const starting = startService(readEnvironment(variables));
  let stopping = false;
  // One that is still starting may have launched its database: that has to be stopped too.
  const stop = (leave: () => never) => {
    if (!stopping) {
      stopping = true;
      starting.then((service) => service.stop()).then(leave, fail);
    }
  };
  // They may arrive twice, from the terminal and from pnpm: the second must not cut the drain short.
  const leave = () => stop(() => process.exit(0));
  for (const signal of STOP_SIGNALS) process.on(signal, leave);
  // Whoever keeps a channel to it (the demo) has started it for itself: it ends with them, even if they are killed.
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
