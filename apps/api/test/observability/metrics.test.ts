import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMetrics, type MetricsSources } from '../../src/observability/metrics.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const COUNTS = {
  atWork: 3,
  millisecondsEach: 1.5,
  unreadBytes: 2_000,
  refused: { requests_at_work: 0, expected_wait: 7, event_loop_delay: 0, database_waiters: 1, unread_answers: 0 },
};

async function startMetrics(sources: Partial<MetricsSources> = {}) {
  const metrics = createMetrics({
    pool: { totalCount: 7, idleCount: 3, waitingCount: 2 },
    connections: { waiting: 0 },
    admission: { counts: COUNTS },
    countAccountsByState: async () => ({ STAGED: 5, COMPLETED: 4 }),
    ...sources,
  });
  const server = express().get('/metrics', metrics.handler).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  const scrape = async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return (await response.text()).split('\n');
  };
  return { metrics, scrape };
}

describe('GET /metrics', () => {
  test('16.9 is rendered once for all who ask at the same time', async () => {
    let rendered = 0;
    const pool = {
      ...{ totalCount: 7, waitingCount: 2 },
      get idleCount() {
        rendered += 1;
        return 3;
      },
    };
    const { metrics } = await startMetrics({ pool });
    const ended = await Promise.all(
      Array.from({ length: 20 }, () => {
        const { promise, resolve } = Promise.withResolvers<Buffer>();
        const response = { writeHead: () => response, end: resolve };
        metrics.handler({} as never, response as never, () => undefined);
        return promise;
      }),
    );
    expect(new Set(ended).size).toBe(1);
    expect(rendered).toBeLessThan(10);
  });

  test('16.9.4 is rendered a few times a second however often it is asked for, and then anew', async () => {
    let now = 5_000;
    let rendered = 0;
    const pool = {
      ...{ totalCount: 7, waitingCount: 2 },
      get idleCount() {
        rendered += 1;
        return 3;
      },
    };
    const { metrics, scrape } = await startMetrics({ pool, now: () => now });
    await scrape();
    const each = rendered;
    for (let scrapes = 0; scrapes < 30; scrapes += 1) await scrape();
    expect(rendered).toBeLessThanOrEqual(5 * each);
    metrics.observe('dataImport.importNotes', 201, 0.02);
    now += 1_000;
    expect((await scrape()).join('\n')).toContain(
      'http_request_duration_seconds_count{procedure="dataImport.importNotes"',
    );
  });

  test('16.9 shows request durations by procedure and status', async () => {
    const { metrics, scrape } = await startMetrics();
    metrics.observe('dataImport.importNotes', 201, 0.02);
    metrics.observe('dataImport.importNotes', 201, 0.2);
    metrics.observe('dataImport.importNotes', 404, 0.001);
    const lines = await scrape();
    expect(lines).toContain('http_request_duration_seconds_count{procedure="dataImport.importNotes",status="201"} 2');
    expect(lines).toContain(
      'http_request_duration_seconds_bucket{le="0.025",procedure="dataImport.importNotes",status="201"} 1',
    );
    expect(lines).toContain('http_request_duration_seconds_count{procedure="dataImport.importNotes",status="404"} 1');
  });

  test('16.9 shows how much there is to do, and which limit refused how often', async () => {
    const { scrape } = await startMetrics();
    await scrape();
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'requests_at_work 3',
        'request_cost_seconds 0.0015',
        'unread_answer_bytes 2000',
        'requests_refused_total{limit="expected_wait"} 7',
        'requests_refused_total{limit="requests_at_work"} 0',
      ]),
    );
  });

  test('16.9 shows the database pool as it is at the scrape', async () => {
    const pool = { totalCount: 7, idleCount: 3, waitingCount: 2 };
    const { scrape } = await startMetrics({ pool });
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'database_pool_connections{state="used"} 4',
        'database_pool_connections{state="idle"} 3',
        'database_pool_waiting_requests 2',
      ]),
    );
    pool.waitingCount = 0;
    expect(await scrape()).toContain('database_pool_waiting_requests 0');
  });

  test('16.9 shows account imports by state, asking the database once in 15 seconds', async () => {
    let now = 1_000;
    const answers = [{ STAGED: 5, COMPLETED: 4 }, { COMPLETED: 9 }];
    const countAccountsByState = vi.fn(async () => answers.shift() ?? {});
    const { scrape } = await startMetrics({ countAccountsByState, now: () => now });
    const first = await scrape();
    expect(first).toContain('account_imports{state="STAGED"} 5');
    expect(first).toContain('account_imports{state="COMPLETED"} 4');
    now += 14_999;
    expect(await scrape()).toContain('account_imports{state="STAGED"} 5');
    expect(countAccountsByState).toHaveBeenCalledTimes(1);
    now += 1;
    const later = await scrape();
    expect(later).toContain('account_imports{state="COMPLETED"} 9');
    expect(later.join('\n')).not.toContain('STAGED');
    expect(countAccountsByState).toHaveBeenCalledTimes(2);
  });

  test('16.9 answers a scrape without the accounts while the database fails, and asks it no more often', async () => {
    let now = 0;
    const countAccountsByState = vi.fn(() => Promise.reject(new Error('Connection terminated')));
    const { scrape } = await startMetrics({ countAccountsByState, now: () => now });
    for (let scrapes = 0; scrapes < 3; scrapes += 1) {
      const lines = await scrape();
      expect(lines.join('\n')).not.toContain('account_imports{');
      expect(lines).toContain('database_pool_waiting_requests 2');
    }
    expect(countAccountsByState).toHaveBeenCalledTimes(1);
    now = 15_000;
    await scrape();
    expect(countAccountsByState).toHaveBeenCalledTimes(2);
  });

  test('16.9 does not wait for a database that hangs, and starts no second query', async () => {
    let now = 0;
    const countAccountsByState = vi.fn(() => new Promise<Record<string, number>>(() => undefined));
    const { scrape } = await startMetrics({ countAccountsByState, now: () => now, patienceMs: 1 });
    for (const time of [0, 20_000]) {
      now = time;
      expect(await scrape()).toContain('database_pool_waiting_requests 2');
    }
    expect(countAccountsByState).toHaveBeenCalledTimes(1);
  });

  test('16.9 shows the process, also where two apps run in one', async () => {
    const first = await startMetrics();
    const second = await startMetrics();
    first.metrics.observe('dataImport.stageAccount', 200, 0.1);
    for (const { scrape } of [first, second]) {
      const lines = await scrape();
      expect(lines.filter((line) => line.startsWith('process_resident_memory_bytes '))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith('# TYPE nodejs_eventloop_lag_seconds '))).toHaveLength(1);
    }
    expect((await second.scrape()).join('\n')).not.toContain('dataImport.stageAccount');
  });
});
