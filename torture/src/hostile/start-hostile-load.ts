import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { HostileLoadName, HostileSite } from './loads.ts';

/** Begins the load in a thread of its own; `stop` cuts all of its connections, and throws what made it end early. */
export async function startHostileLoad(
  name: HostileLoadName,
  site: HostileSite,
): Promise<{ stop: () => Promise<void> }> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { name, site } });
  let failure: unknown;
  worker.once('error', (error) => {
    failure = error;
  });
  await once(worker, 'message');
  return {
    async stop() {
      await worker.terminate();
      if (failure !== undefined) throw failure;
    },
  };
}
