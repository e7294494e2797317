import { type Database, describeDatabase } from '@causeway/db';
import type { Logger } from 'pino';
import { buildInfo } from '../build-info.ts';
import type { Environment } from '../env.ts';
import { NO_TRACING, type Tracing } from '../observability/tracing.ts';
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

/**
 * What an operator asks first of an instance: which version, on which versions of what it needs, with which settings.
 */
export async function describeStart({ settings }: Environment, database: Database): Promise<Record<string, unknown>> {
  const { version, commit } = buildInfo;
  return { version, commit, node: process.versions.node, ...(await describeDatabase(database)), settings };
}

/** Traces over OTLP, if there is an endpoint. The libraries for it are loaded only then: they would cost each start. */
export async function openTracing({ tracing }: Environment, logger: Logger): Promise<Tracing> {
  if (tracing === undefined) return NO_TRACING;
  const { createOtlpTracing } = await import('../observability/otlp-tracing.ts');
  return createOtlpTracing(tracing, logger);
}
