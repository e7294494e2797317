import type { Logger } from 'pino';
import type { Environment } from '../env.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { WorkMetrics } from '../observability/work-metrics.ts';

/** What a step needs from the previous ones, and a stack of resources to close, last opened first. */
export interface Start {
  environment: Environment;
  clock: () => Date;
  logger: Logger;
  work: WorkMetrics;
  tracing: Tracing;
  closing: (() => unknown)[];
  fail: (error: Error) => void;
}
