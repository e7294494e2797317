import { createServer, type Server } from 'node:http';
import express, { type RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AdmissionCounts } from '../overload/admission.ts';
import { keepRendered } from './keep-rendered.ts';

/** The connection counts of a pg.Pool. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export interface MetricsSources {
  pool: PoolCounts;
  connections: { readonly waiting: number };
  admission: { readonly counts: AdmissionCounts };
  /** Account imports by state; one query. */
  countAccountsByState: () => Promise<Readonly<Record<string, number>>>;
  now?: () => number;
  /** How long a scrape waits for that query. */
  patienceMs?: number;
}

export interface Metrics {
  /** Counts one answered request. `procedure` comes from our own list of names, never from the caller. */
  observe(procedure: string, status: number, seconds: number): void;
  /** Answers GET /metrics in the Prometheus text format. */
  handler: RequestHandler;
}

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ACCOUNTS_REMEMBERED_FOR_MS = 15_000;

let processRegistry: Registry | undefined;

/**
 * The metrics of one app: requests by procedure and status, the database pool, account imports by state, and the
 * process's own. Scrapes query the database at most once in 15 seconds and wait at most `patienceMs` (2 seconds); while
 * the database does not answer, only the account imports are missing.
 */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by procedure and status.',
    labelNames: ['procedure', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  measurePool(registry, sources);
  measureAdmission(registry, sources.admission);
  measureAccounts(registry, sources);
  const render = async () => {
    const texts = await Promise.all([registry.metrics(), processMetrics().metrics()]);
    return Buffer.from(texts.join('\n'));
  };
  const texts = keepRendered(render, sources.now);
  return {
    observe: (procedure, status, seconds) => durations.labels(procedure, String(status)).observe(seconds),
    handler: async (_request, response) => {
      const text = await texts();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    },
  };
}

function measurePool(registry: Registry, { pool, connections }: MetricsSources): void {
  new Gauge({
    name: 'database_pool_connections',
    help: 'Database connections of this instance, in use or idle.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'database_pool_waiting_requests',
    help: 'Callers that wait for a database connection.',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount + connections.waiting);
    },
  });
}

function measureAdmission(registry: Registry, admission: MetricsSources['admission']): void {
  new Gauge({
    name: 'requests_at_work',
    help: 'Requests whose body has arrived and whose answer is not out.',
    registers: [registry],
    collect() {
      this.set(admission.counts.atWork);
    },
  });
  new Gauge({
    name: 'request_cost_seconds',
    help: 'What a request has cost lately of what there is too little of: the event loop, or database connections.',
    registers: [registry],
    collect() {
      this.set(admission.counts.millisecondsEach / 1000);
    },
  });
  new Gauge({
    name: 'unread_answer_bytes',
    help: 'Bytes of answers that were written and that their clients have not read.',
    registers: [registry],
    collect() {
      this.set(admission.counts.unreadBytes);
    },
  });
  new Counter({
    name: 'requests_refused_total',
    help: 'Requests refused since there was too much to do, by the limit that they met.',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [limit, count] of Object.entries(admission.counts.refused)) this.inc({ limit }, count);
    },
  });
}

function measureAccounts(registry: Registry, sources: MetricsSources): void {
  const countAccounts = rememberedCounts(sources);
  new Gauge({
    name: 'account_imports',
    help: 'Account imports by state, over all import suppliers; at most 15 seconds old.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await countAccounts();
      this.reset();
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  });
}

/**
 * One query at a time and one in 15 seconds, whether it succeeds, fails (no counts) or takes too long (no counts yet).
 */
function rememberedCounts({ countAccountsByState, now = Date.now, patienceMs = 2_000 }: MetricsSources) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let running = false;
  let answer: Promise<Readonly<Record<string, number>>> = Promise.resolve({});
  return () => {
    if (!running && now() - askedAt >= ACCOUNTS_REMEMBERED_FOR_MS) {
      askedAt = now();
      running = true;
      answer = Promise.try(countAccountsByState)
        .catch(() => ({}))
        .finally(() => {
          running = false;
        });
    }
    return Promise.race([answer, nothingAfter(patienceMs)]);
  };
}

function nothingAfter(milliseconds: number): Promise<Record<string, number>> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, {}).unref();
  });
}

/** A separate server for the metrics, which the public one then does not serve. */
export function createMetricsServer(metrics: Metrics): Server {
  const app = express().disable('x-powered-by').disable('etag').get('/metrics', metrics.handler);
  return createServer(app);
}

/** One registry per process, because its metrics are the process's, however many apps run in it. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
