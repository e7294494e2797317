import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { until } from '../support/until.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

/** The address of the notes of a new account. */
async function accountWithNotes(count: number, characters: number): Promise<string> {
  const { id, externalAccountNumber } = await supplier.importAccount();
  await service.database.pool.query(
    `INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned)
    SELECT $1, repeat('x', $2), '{}', now(), false FROM generate_series(1, $3)`,
    [id, characters, count],
  );
  return `accounts/${supplier.code}/${externalAccountNumber}/notes/`;
}

async function requestsAtWork(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^causeway_requests_at_work (.*)$/m.exec(text)?.[1]);
}

test('4.12.9 any number of lists of one page are read at once', async () => {
  const path = await accountWithNotes(3, 10);
  using lock = await borrowConnection(service.database.pool);
  await lock.query('BEGIN; LOCK TABLE notes');
  const lists = Array.from({ length: 16 }, () => supplier.get(path));
  await until(async () => (await requestsAtWork()) === 16).finally(async () => {
    await lock.query('ROLLBACK');
    lock.release();
  });
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(16).fill(200));
});

test('4.12.9 more than ten lists of more than a page are refused, and pages are not', async () => {
  // Larger than all buffers between the service and a client that does not read.
  const path = await accountWithNotes(300, 60_000);
  const headers = { Authorization: `Token ${supplier.token}` };
  const reading: IncomingMessage[] = [];
  for (let count = 0; count < 10; count += 1) {
    const [response] = await once(request(`${service.url}/v1/data-import/${path}`, { headers }).end(), 'response');
    reading.push(response);
  }
  const refused = await supplier.get(path);
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await supplier.get(`${path}?limit=1`)).status).toBe(200);
  expect((await supplier.get(await accountWithNotes(3, 10))).status).toBe(200);
  for (const response of reading) response.destroy();
  await until(async () => (await supplier.get(path)).status === 200);
});
