import type { BulkDependencies, ChunkCounts } from '@causeway/domain';
import type { Pace } from './pace.ts';

/** Who is told of what the lanes do. */
export interface RunnerReport {
  log(level: 'info' | 'warn' | 'error', event: string, facts: Record<string, unknown>): void;
  /** Lines whose outcome was committed. */
  countLines(counts: ChunkCounts, runMode: string): void;
  /** A chunk's transaction ended. */
  countChunk(result: string, seconds: number): void;
  /** E-mails to customers, by what happened to them. */
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
