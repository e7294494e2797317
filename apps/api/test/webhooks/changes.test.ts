import { startWebhookReceiver, type VendorBehaviour, type WebhookReceiver } from '@causeway/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestService, type TestSupplier, until } from '../support/test-service.ts';
import { addEvents, startLanes, type TestLanes } from './start-lanes.ts';

// What others do while a message to an endpoint is under way.

const ACCEPTS: VendorBehaviour = { kind: 'answer', status: 204, body: '' };
/** Longer than anything is begun in one turn. */
const A_TURN_MS = 1_050;
let lanes: TestLanes;
let receiver: WebhookReceiver;
let supplier: TestSupplier;
/** Added to the clock of the service and of the lanes. */
let later = 0;
const clock = () => new Date(Date.now() + later);

const service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
beforeAll(async () => {
  lanes = startLanes(service, { clock, lanes: 2 });
});
afterAll(async () => {
  await lanes.stop();
  await service.stop();
});
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  supplier = await service.createSupplier();
});
afterEach(() => receiver.close());

const sentTo = (path: string) => receiver.messages.filter((message) => message.path === path);
const endpointOf = async (id: string) => (await supplier.get(`webhook-endpoints/${id}/`)).body;
const change = (id: string, changes: object) => supplier.post(`webhook-endpoints/${id}/update/`, changes);

/**
 * An endpoint that has failed so often, and gets events of two accounts. Answers once the first message is under way: it
 * is held, and answered with `status` by `answer`; all others are accepted.
 */
async function holdFirst({ status, failures = 0, hours = 1 }: { status: number; failures?: number; hours?: number }) {
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
  receiver.behave(() => (receiver.messages.length === 1 ? { kind: 'hold', until: asked, status } : ACCEPTS));
  const { body } = await supplier.post('webhook-endpoints/', { url: `${receiver.url}/old` });
  await service.database.pool.query(
    `UPDATE webhook_endpoints SET failures = $2::int, failing_since = CASE WHEN $2 > 0 THEN $3::timestamptz END
     WHERE id = $1`,
    [body.id, failures, new Date(clock().getTime() - hours * 3_600_000)],
  );
  await addEvents(service, supplier, { accounts: ['SAME', 'SAME', 'OTHER', 'SAME'] });
  await until(() => receiver.messages.length > 0);
  return { id: body.id as string, answer };
}

test('28.4.5 an endpoint whose URL is changed while the old one answers 410 is not disabled', async () => {
  const { id, answer } = await holdFirst({ status: 410 });
  await change(id, { url: `${receiver.url}/new` });
  answer();
  await until(async () => (await endpointOf(id)).waiting === 1);
  later += 10_000;
  await until(() => sentTo('/new').length > 0);
  expect(await endpointOf(id)).toMatchObject({ state: 'ENABLED', failures: 0, disabled_reason: null });
});

test('28.4.5 an endpoint that is enabled while an old attempt fails counts from its new start', async () => {
  const { id, answer } = await holdFirst({ status: 503, failures: 80, hours: 73 });
  const { body: enabled } = await change(id, { enabled: true });
  expect(enabled).toMatchObject({ state: 'ENABLED', failures: 0 });
  answer();
  await until(() => receiver.messages.length > 1);
  expect(await endpointOf(id)).toMatchObject({ state: 'ENABLED', failures: 0, failing_since: null });
});

test('28.4.5 28.6.3 a test that is asked for while an attempt to a resting endpoint fails is sent at once', async () => {
  const { id, answer } = await holdFirst({ status: 500, failures: 20, hours: 24 });
  const { body: asked } = await supplier.post(`webhook-endpoints/${id}/test/`, {});
  answer();
  await until(() => receiver.messages.some((message) => message.id === asked.message_id));
});

test.each(['delete', 'disable'])('28.1.5 after a %s no message that waited behind another is begun', async (how) => {
  const { id, answer } = await holdFirst({ status: 204 });
  const { status } =
    how === 'delete'
      ? await supplier.post(`webhook-endpoints/${id}/delete/`, {})
      : await change(id, { enabled: false });
  expect(status).toBe(200);
  const changedAt = performance.now();
  await until(() => receiver.messages.length === 2 && performance.now() - changedAt > A_TURN_MS);
  answer();
  const other = await service.createSupplier();
  await other.post('webhook-endpoints/', { url: `${receiver.url}/other` });
  await addEvents(service, other, { accounts: ['ONE'] });
  await until(() => sentTo('/other').length === 1);
  // That of the second account was begun beside the first one.
  expect(sentTo('/old')).toHaveLength(2);
});

test('28.2.1 28.2.2 what waited behind a slow message is sent in another turn, and nothing twice', async () => {
  const { answer } = await holdFirst({ status: 204 });
  const begunAt = performance.now();
  await until(() => receiver.messages.length === 2 && performance.now() - begunAt > A_TURN_MS);
  answer();
  await until(() => receiver.messages.length >= 4);
  const text = 'SELECT event_id FROM events WHERE import_supplier_code = $1 ORDER BY id';
  const { rows } = await service.database.pool.query(text, [supplier.code]);
  const [first, second, other, third] = rows.map(({ event_id }) => `evt_${event_id.replaceAll('-', '')}`);
  expect(receiver.messages.map(({ id }) => id)).toEqual([first, other, second, third]);
});

const deliveriesOf = async (id: string) => (await supplier.get(`webhook-endpoints/${id}/deliveries/`)).body;

test('28.6.3 a test that waits is sent again instead of a second one, however often it is asked for', async () => {
  receiver.behave({ kind: 'answer', status: 500, body: '' });
  const { id } = (await supplier.post('webhook-endpoints/', { url: `${receiver.url}/tested` })).body;
  const ask = async () => (await supplier.post(`webhook-endpoints/${id}/test/`, {})).body;
  const { message_id } = await ask();
  await until(async () => (await deliveriesOf(id))[0].attempts === 1);
  const asked = await Promise.all([ask(), ask(), ask()]);
  expect(asked.map((delivery) => delivery.message_id)).toEqual(Array(3).fill(message_id));
  await until(() => receiver.messages.length === 2);
  receiver.behave({ kind: 'answer', status: 204, body: '' });
  later += 60_000;
  await until(async () => (await deliveriesOf(id))[0].state === 'DELIVERED');
  expect((await ask()).message_id).not.toBe(message_id);
});

test('28.2.5 a lane that learns of its claim when the lease has nearly ended begins nothing', async () => {
  await lanes.stop();
  await supplier.post('webhook-endpoints/', { url: `${receiver.url}/late` });
  await addEvents(service, supplier, { accounts: ['ONE'] });
  const { now } = performance;
  const late = { claims: 0, byMs: 0 };
  const clockOfProcess = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + late.byMs);
  lanes = startLanes(service, {
    clock,
    seen: (database) => ({
      ...database,
      async query(statement, values) {
        const rows = await database.query(statement, values);
        if (statement.title !== 'claim-webhook-endpoints' || rows.length === 0) return rows;
        late.claims += 1;
        late.byMs += late.claims === 1 ? 5_000 : 0;
        return rows;
      },
    }),
  });
  await until(() => sentTo('/late').length === 1);
  clockOfProcess.mockRestore();
  expect(late.claims).toBe(2);
});
