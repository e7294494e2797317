import { Worker } from 'node:worker_threads';
import type { HostileLoadName, HostileSite } from './loads.ts';

/** Begins the load in a thread of its own; `stop` cuts all of its connections. An error of its own is thrown by `stop`. */
export function startHostileLoad(name: HostileLoadName, site: HostileSite): { stop(): Promise<void> } {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { name, site } });
  let failure: unknown;
  worker.once('error', (error) => {
    failure = error;
  });
  return {
    async stop() {
      await worker.terminate();
      if (failure !== undefined) throw failure;
    },
  };
}
