import { createServer } from 'node:http';
import express, { type RequestHandler } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Environment } from '../env.ts';
import { type ListenAddress, listenAt } from '../http/listen.ts';
import type { Start } from '../start/start.ts';
import { type InstanceSources, measureInstance } from './instance-metrics.ts';
import { type DatabaseSources, measureMigrations } from './migration-metrics.ts';
import type { AnsweredRequest, WorkMetrics } from './work-metrics.ts';

export interface MetricsSources extends InstanceSources, DatabaseSources {
  work: WorkMetrics;
}

export interface Metrics {
  countRequest(request: AnsweredRequest): void;
  /** Answers GET /metrics in the Prometheus text format. */
  handler: RequestHandler;
  /** All metrics of the answer. */
  readonly registries: readonly Registry[];
}

let processRegistry: Registry | undefined;

/**
 * The metrics of one app (docs/metrics.md), and the process's own. Scrapes ask the database at most once in 15 seconds
 * and wait at most 2 seconds; while the database does not answer, only what it knows is missing.
 */
export function createMetrics(sources: MetricsSources): Metrics {
  const { work } = sources;
  const { registry, supplierLabel } = work;
  measureInstance(registry, sources);
  measureMigrations(registry, { ...sources, supplierLabel });
  return createWorkerMetrics(sources);
}

/** The metrics of the work alone, and the process's own: all that a process has which serves nobody. */
export function createWorkerMetrics({ work, now }: Pick<MetricsSources, 'work' | 'now'>): Metrics {
  const { registry } = work;
  const registries = [registry, processMetrics()];
  const render = async () => {
    const texts = await Promise.all(registries.map((each) => each.metrics()));
    return Buffer.from(texts.join('\n'));
  };
  const texts = keepRendered(render, now);
  return {
    registries,
    countRequest: work.countRequest,
    handler: async (_request, response) => {
      const text = await texts();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    },
  };
}

/**
 * Serves the metrics on METRICS_PORT, if that is set: the public port then does not have them.
 *
 * @returns the address
 */
export async function serveMetrics(
  { environment, logger, closing }: Start,
  metrics: Metrics,
): Promise<string | undefined> {
  const address = metricsAddress(environment);
  if (address === undefined) return undefined;
  const app = express().disable('x-powered-by').disable('etag').get('/metrics', metrics.handler);
  const server = createServer(app);
  const { url, port } = await listenAt(server, address);
  closing.push(() => {
    server.close().closeAllConnections();
  });
  logger.info({ address: address.host, port }, 'metrics_listening');
  return url;
}

/** Where /metrics is, if it has a port of its own. */
export function metricsAddress({ metricsHost: host, metricsPort: port }: Environment): ListenAddress | undefined {
  if (port === undefined) return undefined;
  return { host, port, variable: 'METRICS_PORT', hostVariable: 'METRICS_HOST' };
}

/**
 * One registry per process, because its metrics are the process's, however many apps run in it. They keep the names
 * that every Prometheus client gives them (`process_`, `nodejs_`), which common dashboards and alerts look for.
 */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Enough for all of an operator's collectors to get fresh values. */
const RENDERED_A_SECOND = 5;

/**
 * Each rendering blocks the event loop for milliseconds, and any caller can request it under any load. Concurrent
 * scrapes share one; at most a few are rendered per second, and further requests get the latest.
 */
export function keepRendered(render: () => Promise<Buffer>, now: () => number = Date.now): () => Promise<Buffer> {
  let rendering: Promise<Buffer> | undefined;
  let last: Promise<Buffer> | undefined;
  let second = Number.NaN;
  let made = 0;
  return () => {
    if (rendering !== undefined) return rendering;
    const current = Math.floor(now() / 1_000);
    if (current !== second) [second, made] = [current, 0];
    if (last !== undefined && made >= RENDERED_A_SECOND) return last;
    made += 1;
    rendering = render().finally(() => {
      rendering = undefined;
    });
    last = rendering;
    last.catch(() => {
      last = undefined;
    });
    return rendering;
  };
}
