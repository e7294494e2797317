import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Met } from './hammer.ts';
import type { HostileLoadName, HostileSite } from './loads.ts';

export interface RunningLoad {
  /** Throws what made it end early. */
  met(): Promise<Met>;
  /** Cuts all of its connections; throws what made it end early. */
  stop(): Promise<void>;
}

/** Starts the load in its own thread. */
export async function startHostileLoad(name: HostileLoadName, site: HostileSite): Promise<RunningLoad> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { name, site } });
  let failure: unknown;
  worker.once('error', (error) => {
    failure = error;
  });
  await once(worker, 'message');
  return {
    async met() {
      if (failure !== undefined) throw failure;
      const told = once(worker, 'message');
      worker.postMessage('met?');
      const [met] = (await told) as [Met];
      return met;
    },
    async stop() {
      await worker.terminate();
      if (failure !== undefined) throw failure;
    },
  };
}
