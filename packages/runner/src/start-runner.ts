import type { BulkDependencies, ChunkCounts } from '@causeway/domain';
import { runLane } from './lane.ts';
import type { Pace } from './pace.ts';
import { createWorkList } from './work-list.ts';

/** Who is told of what the lanes do. */
export interface RunnerReport {
  log(level: 'info' | 'warn' | 'error', event: string, facts: Record<string, unknown>): void;
  /** Lines whose outcome was committed. */
  countLines(counts: ChunkCounts, runMode: string): void;
  /** A chunk's transaction ended. */
  countChunk(result: string, seconds: number): void;
  /** E-mails to customers, by what became of them. */
  countEmails?(outcome: string, emails: number): void;
  /** Those of them that went with the service's own text, because the supplier's template failed. */
  countOwnTexts?(emails: number): void;
}

export interface RunnerOptions {
  /** With a database of its own: each lane holds one connection at most, and two more are for planning and states. */
  dependencies: BulkDependencies;
  /** How many chunks are worked on at the same time. 0: jobs are left to other instances. */
  lanes: number;
  /** Asked before each chunk: the instance's callers come first. Default: always fully. */
  pace?: () => Pace;
  report: RunnerReport;
}

/** The lanes of an instance. */
export interface Runner {
  /** Looks for work now: a job was started. */
  wake(): void;
  /** Resolves when every lane has ended its chunk and nothing is begun any more. */
  stop(): Promise<void>;
}

/**
 * Works on the bulk jobs of all import suppliers (behaviour 21.8), together with the runners of other instances.
 * Nothing is kept in memory: whoever kills it loses only the chunks in progress, which others then do.
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
