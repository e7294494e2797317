import { runLane } from './lane.ts';
import type { RunnerOptions } from './runner-options.ts';
import { createWorkList } from './work-list.ts';

/** The lanes of an instance. */
export interface Runner {
  /** Looks for work now: a job was started. */
  wake(): void;
  /** Resolves when every lane has ended its chunk and nothing is begun any more. */
  stop(): Promise<void>;
}

/**
 * Works on the bulk jobs of all import suppliers (behaviour 21.8), together with the runners of other instances.
 * Nothing is kept in memory: anyone who kills it loses only the chunks in progress, which others then do.
 */
export function startRunner(options: RunnerOptions): Runner {
  if (options.lanes === 0) return { wake: () => undefined, stop: async () => undefined };
  const stopping = new AbortController();
  const list = createWorkList(options, stopping.signal);
  const lanes = Array.from({ length: options.lanes }, (_, place) =>
    runLane({ ...options, place }, list, stopping.signal),
  );
  return {
    wake: list.wake,
    async stop() {
      stopping.abort();
      list.wake();
      await Promise.all([...lanes, list.ended]);
    },
  };
}
