import { claimWebhookEndpoints } from '@causeway/domain';
import { type ReceivedMessage, startWebhookReceiver, type WebhookReceiver } from '@causeway/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { until } from '../support/until.ts';
import { startLanes, type TestLanes } from './start-lanes.ts';

let service: TestService;
let receiver: WebhookReceiver;
let lanes: TestLanes | undefined;

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await lanes?.stop();
  await receiver.close();
  await service.stop();
});

async function createSupplierWithEndpoint(path: string): Promise<TestSupplier> {
  const supplier = await service.createSupplier();
  const { status } = await supplier.post('webhook-endpoints/', { url: `${receiver.url}${path}` });
  if (status !== 201) throw new Error(`Creating an endpoint answered ${status}`);
  return supplier;
}

/** The endpoint of a supplier that has one. */
async function endpointOf(supplier: TestSupplier): Promise<string> {
  const { body } = await supplier.get('webhook-endpoints/');
  return `webhook-endpoints/${body[0].id}/`;
}

async function addEvents({ code }: TestSupplier, count: number): Promise<void> {
  await service.database.pool.query(
    `INSERT INTO events (import_supplier_code, type, external_account_number, data, occurred_at)
     SELECT $1, 'account.staged', 'E-' || number, '{"times_staged": 1}', now() FROM generate_series(1, $2::int) AS number`,
    [code, count],
  );
}

const sentTo = (wanted: string) => receiver.messages.filter(({ path }) => path === wanted);

test('28.2.5 what a dead instance had is sent by others within 10 seconds', async () => {
  await addEvents(await createSupplierWithEndpoint('/dead'), 3);
  const now = new Date();
  const claimed = await claimWebhookEndpoints(service.database, { now, healthy: 10, failing: 0 });
  const claimedAt = performance.now();
  expect(claimed).toHaveLength(1);
  expect(await claimWebhookEndpoints(service.database, { now, healthy: 10, failing: 0 })).toEqual([]);
  lanes = startLanes(service, { lanes: 1, attemptMs: 2_000 });
  await until(() => sentTo('/dead').length === 3);
  expect((sentTo('/dead')[0]?.at ?? 0) - claimedAt).toBeLessThan(10_000);
});

test('28.2.1 28.2.4 the many events of one supplier, each sent once, do not keep one of another waiting', async () => {
  const [many, few] = [await createSupplierWithEndpoint('/many'), await createSupplierWithEndpoint('/few')];
  await addEvents(many, 2_000);
  await until(() => sentTo('/many').length > 100);
  await addEvents(few, 1);
  const addedAt = performance.now();
  await until(() => sentTo('/few').length === 1);
  expect((sentTo('/few')[0]?.at ?? 0) - addedAt).toBeLessThan(5_000);
  await until(() => sentTo('/many').length === 2_000);
  expect(new Set(sentTo('/many').map(({ id }) => id)).size).toBe(2_000);
});

test('28.6.2 what is asked for again while it is being sent is sent anew, whatever comes of the attempt', async () => {
  const supplier = await createSupplierWithEndpoint('/again');
  const endpoint = await endpointOf(supplier);
  receiver.behave({ kind: 'silence' });
  const { body: asked } = await supplier.post(`${endpoint}test/`, {});
  await until(() => sentTo('/again').length === 1);
  receiver.behave({ kind: 'answer', status: 204, body: '' });
  const again = await supplier.post(`${endpoint}deliveries/${asked.message_id}/send-again/`, {});
  expect(again.body).toMatchObject({ state: 'WAITING', attempts: 0 });
  await until(() => sentTo('/again').length === 2);
  const delivery = async () => (await supplier.get(`${endpoint}deliveries/`)).body[0];
  await until(async () => (await delivery()).state === 'DELIVERED');
  expect(await delivery()).toMatchObject({ message_id: asked.message_id, attempts: 1, failure: null });
});

test('28.3.3 a second rotation ends the first secret at once', async () => {
  const supplier = await service.createSupplier();
  const { body: created } = await supplier.post('webhook-endpoints/', { url: `${receiver.url}/rotated` });
  const rotate = async () => (await supplier.post(`webhook-endpoints/${created.id}/rotate-secret/`, {})).body.secret;
  const secrets = [await rotate(), await rotate()];
  await addEvents(supplier, 1);
  await until(() => sentTo('/rotated').length === 1);
  const { body, headers } = sentTo('/rotated')[0] as ReceivedMessage;
  for (const secret of secrets) new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(() => new Webhook(created.secret).verify(body, headers as Record<string, string>)).toThrow('No matching');
});
