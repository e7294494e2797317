import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMetrics, type MetricsSources } from '../../src/observability/metrics.ts';
import type { DatabaseCounts } from '../../src/observability/migration-metrics.ts';
import { type AnsweredRequest, createWorkMetrics } from '../../src/observability/work-metrics.ts';

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

const counted = (staged: number, completed: number): DatabaseCounts => ({
  migrations: [
    { import_supplier: 'ONE', states: { staged, completed }, complete: completed - 1, problems: 3, remarks: 1 },
    { import_supplier: 'TWO', states: { staged: 0, completed: 0 }, complete: 0, problems: 0, remarks: 0 },
  ],
  schema: { applied: 20, pending: 1 },
  webhooks: {
    ...{ accepting: 2, failing: 1, oldestUnsentSeconds: 1.5 },
    disabled: { asked: 0, failing: 1, gone: 0, secret_unreadable: 0 },
  },
});

const request = (operation: string, status: number, more: Partial<AnsweredRequest> = {}): AnsweredRequest => {
  return { operation, status, seconds: 0.02, ...more };
};

async function startMetrics(sources: Partial<MetricsSources> = {}) {
  const work = createWorkMetrics();
  const metrics = createMetrics({
    pool: { totalCount: 7, idleCount: 3, waitingCount: 2 },
    connections: { queue: { waiting: 0 } },
    admission: { counts: COUNTS },
    countInDatabase: async () => counted(5, 4),
    work,
    build: { version: '1.2.3', commit: 'abc' },
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
  return { metrics, work, scrape };
}

describe('GET /metrics', () => {
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
    metrics.countRequest(request('dataImport.importNotes', 201));
    now += 1_000;
    expect((await scrape()).join('\n')).toContain('causeway_requests_total{operation="dataImport.importNotes"');
  });

  test('16.9 counts requests by operation, status, code and import supplier, and shows their durations', async () => {
    const { metrics, scrape } = await startMetrics();
    const operation = 'dataImport.importNotes';
    metrics.countRequest(request(operation, 201));
    metrics.countRequest(request(operation, 201, { seconds: 0.2 }));
    metrics.countRequest(request(operation, 404));
    metrics.countRequest(request(operation, 400, { code: 'dry_run_rolled_back', importSupplier: 'ONE' }));
    metrics.countRequest(request(operation, 400, { code: 'account_does_not_exist', importSupplier: 'ONE' }));
    metrics.countRequest(request(operation, 499));
    metrics.countRequest(request(operation, 500, { code: 'internal_error', seconds: 31 }));
    const lines = await scrape();
    expect(lines).toContain('causeway_requests_total{operation="dataImport.importNotes",status="201"} 2');
    const bucket = 'causeway_request_duration_seconds_bucket';
    expect(lines).toContain(`${bucket}{le="0.01",operation="${operation}",outcome="done"} 0`);
    expect(lines).toContain(`${bucket}{le="0.025",operation="${operation}",outcome="done"} 1`);
    expect(lines).toContain(`${bucket}{le="30",operation="${operation}",outcome="failed"} 0`);
    expect(lines).toContain(`${bucket}{le="+Inf",operation="${operation}",outcome="failed"} 1`);
    expect(lines).toContain(`causeway_request_duration_seconds_sum{operation="${operation}",outcome="done"} 0.22`);
    for (const [outcome, count] of Object.entries({ done: 2, dry_run: 1, refused: 2, left: 1, failed: 1 })) {
      const sample = `causeway_request_duration_seconds_count{operation="${operation}",outcome="${outcome}"} ${count}`;
      expect(lines).toContain(sample);
    }
    for (const code of ['dry_run_rolled_back', 'account_does_not_exist']) {
      expect(lines).toContain(
        `causeway_requests_total{operation="${operation}",status="400",code="${code}",import_supplier="ONE"} 1`,
      );
    }
    expect(lines).toContain('causeway_requests_total{operation="dataImport.importNotes",status="404"} 1');
  });

  test('16.9.5 names at most 50 import suppliers, and the others together', async () => {
    const { metrics, scrape } = await startMetrics();
    for (let number = 0; number < 60; number += 1) {
      metrics.countRequest(request('dataImport.stageAccount', 201, { importSupplier: `S-${number}` }));
    }
    const lines = (await scrape()).filter((line) => line.startsWith('causeway_requests_total{'));
    expect(lines).toHaveLength(51);
    const sample = 'causeway_requests_total{operation="dataImport.stageAccount",status="201"';
    expect(lines).toContain(`${sample},import_supplier="S-49"} 1`);
    expect(lines).toContain(`${sample},import_supplier="other"} 10`);
    // They have no label left here either.
    expect(await scrape()).toContain('causeway_account_imports{import_supplier="other",state="staged"} 5');
  });

  test('16.9 shows statements, calls to vendors and background work', async () => {
    const { work, scrape } = await startMetrics();
    work.statements.sent('stage-account')(false);
    work.statements.sent('stage-account')(true);
    work.countVendorCall('ACME', 'rejected', 0.3);
    work.countRun('keep_problems', 'done', new Date(5_000));
    work.countRun('keep_problems', 'failed', new Date(6_000));
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'causeway_database_statement_duration_seconds_count{statement="stage-account",outcome="done"} 1',
        'causeway_database_statement_duration_seconds_count{statement="stage-account",outcome="failed"} 1',
        'causeway_payment_vendor_call_duration_seconds_bucket{le="0.5",vendor="ACME",outcome="rejected"} 1',
        'causeway_background_runs_total{run="keep_problems",outcome="done"} 1',
        'causeway_background_runs_total{run="keep_problems",outcome="failed"} 1',
        'causeway_background_run_last_done_timestamp_seconds{run="keep_problems"} 5',
        'causeway_build_info{version="1.2.3",commit="abc"} 1',
      ]),
    );
  });

  test('16.9 shows how much there is to do, and which limit refused how often', async () => {
    const { scrape } = await startMetrics();
    await scrape();
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'causeway_requests_at_work 3',
        'causeway_request_cost_seconds 0.0015',
        'causeway_unread_answer_bytes 2000',
        'causeway_requests_refused_total{limit="expected_wait"} 7',
        'causeway_requests_refused_total{limit="requests_at_work"} 0',
      ]),
    );
  });

  test('16.9 shows account imports by import supplier and state, asking the database once in 15 seconds', async () => {
    let now = 1_000;
    const answers = [counted(5, 4), { ...counted(0, 9), migrations: counted(0, 9).migrations.slice(0, 1) }];
    const countInDatabase = vi.fn(async () => answers.shift() as DatabaseCounts);
    const { scrape } = await startMetrics({ countInDatabase, now: () => now });
    expect(await scrape()).toEqual(
      expect.arrayContaining([
        'causeway_account_imports{import_supplier="ONE",state="staged"} 5',
        'causeway_account_imports{import_supplier="ONE",state="completed"} 4',
        'causeway_account_imports{import_supplier="TWO",state="completed"} 0',
        'causeway_account_imports_complete{import_supplier="ONE"} 3',
        'causeway_problems{import_supplier="ONE"} 3',
        'causeway_remarks{import_supplier="ONE"} 1',
        'causeway_schema_migrations{state="applied"} 20',
        'causeway_schema_migrations{state="pending"} 1',
        'causeway_webhook_endpoints{state="failing"} 1',
        'causeway_webhook_endpoints{state="disabled",reason="failing"} 1',
        'causeway_webhook_endpoints{state="disabled",reason="gone"} 0',
        'causeway_webhook_oldest_unsent_seconds 1.5',
      ]),
    );
    now += 14_999;
    expect(await scrape()).toContain('causeway_account_imports{import_supplier="ONE",state="staged"} 5');
    expect(countInDatabase).toHaveBeenCalledTimes(1);
    now += 1;
    const later = await scrape();
    expect(later).toContain('causeway_account_imports{import_supplier="ONE",state="completed"} 9');
    expect(later.join('\n')).not.toContain('TWO');
    expect(countInDatabase).toHaveBeenCalledTimes(2);
  });

  test('16.9 answers a scrape without the accounts while the database fails, and asks it no more often', async () => {
    let now = 0;
    const countInDatabase = vi.fn(() => Promise.reject(new Error('Connection terminated')));
    const { scrape } = await startMetrics({ countInDatabase, now: () => now });
    for (let scrapes = 0; scrapes < 3; scrapes += 1) {
      const lines = await scrape();
      expect(lines.join('\n')).not.toContain('causeway_account_imports{');
      expect(lines).toContain('causeway_database_pool_waiting_requests 2');
    }
    expect(countInDatabase).toHaveBeenCalledTimes(1);
    now = 15_000;
    await scrape();
    expect(countInDatabase).toHaveBeenCalledTimes(2);
  });

  test('16.9 does not wait for a database that hangs, and starts no second query', async () => {
    let now = 0;
    const countInDatabase = vi.fn(() => new Promise<DatabaseCounts>(() => undefined));
    const { scrape } = await startMetrics({ countInDatabase, now: () => now, patienceMs: 1 });
    for (const time of [0, 20_000]) {
      now = time;
      expect(await scrape()).toContain('causeway_database_pool_waiting_requests 2');
    }
    expect(countInDatabase).toHaveBeenCalledTimes(1);
  });
});
