import { LIMITS } from '@causeway/contracts';
import { removeWebhookDeliveries } from '@causeway/domain';
import { type ReceivedMessage, startWebhookReceiver, type WebhookReceiver } from '@causeway/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestSupplier, until } from '../support/test-service.ts';
import { addEvents, createEndpoint, startLanes } from './start-lanes.ts';

let receiver: WebhookReceiver;
let supplier: TestSupplier;
/** Added to the clock of the service and of the lanes. */
let later = 0;

const HOUR_MS = 3_600_000;
const clock = () => new Date(Date.now() + later);

const service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
// An attempt that a busy machine makes late must not count as a failure.
const lanes = startLanes(service, { clock, attemptMs: 3_000 });
afterAll(async () => {
  await lanes.stop();
  await service.stop();
});
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  supplier = await service.createSupplier();
});
afterEach(() => receiver.close());

/** An endpoint of the supplier, at a path of the receiver. */
const hook = (fields: Record<string, unknown> = {}) =>
  createEndpoint(supplier, { url: `${receiver.url}/hook`, ...fields });
const endpointOf = async (id: string) => (await supplier.get(`webhook-endpoints/${id}/`)).body;
const endpoints = async () => (await supplier.get('webhook-endpoints/')).body;
const deliveriesOf = async (id: string) => (await supplier.get(`webhook-endpoints/${id}/deliveries/`)).body;

const signatureOf = ({ headers }: { headers: Record<string, unknown> }) => headers as Record<string, string>;

test('28.2.1 28.2.3 28.3.1 what happens arrives in order, as the list has it, and signed', async () => {
  await supplier.stage();
  const { id, secret } = await hook();
  const { externalAccountNumber } = await supplier.importAccount();
  await until(() => receiver.messages.length >= 3);
  const events = receiver.messages.map(({ body }) => JSON.parse(body));
  expect(events.map(({ type }) => type)).toEqual(['account.staged', 'account.created', 'account.completed']);
  expect(new Set(events.map(({ data }) => data.external_account_number))).toEqual(new Set([externalAccountNumber]));
  for (const message of receiver.messages) {
    expect(new Webhook(secret).verify(message.body, signatureOf(message))).toMatchObject({ id: message.id });
    expect(() => new Webhook(secret).verify(`${message.body} `, signatureOf(message))).toThrow('No matching signature');
  }
  await until(async () => (await deliveriesOf(id)).length === 3);
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'DELIVERED', status: 204, failure: null, attempts: 1 });
});

test('28.1.2 28.1.4 an endpoint gets the types that it names, and after a pause what it has missed', async () => {
  const { id } = await hook({ event_types: ['account.created'] });
  await supplier.importAccount();
  await until(() => receiver.messages.length === 1);
  await supplier.post(`webhook-endpoints/${id}/update/`, { enabled: false });
  expect(await endpointOf(id)).toMatchObject({ state: 'DISABLED', disabled_reason: 'asked' });
  const { externalAccountNumber } = await supplier.importAccount();
  await supplier.post(`webhook-endpoints/${id}/update/`, { enabled: true });
  await until(() => receiver.messages.length === 2);
  expect(receiver.messages.map(({ body }) => JSON.parse(body).type)).toEqual(['account.created', 'account.created']);
  expect(receiver.messages[1]?.body).toContain(externalAccountNumber);
});

test('28.1.2 an endpoint gets the events of the import suppliers that it names, past those of others', async () => {
  const [wanted, other] = [await service.createSupplier({ of: supplier }), await service.createSupplier()];
  const refused = await supplier.post('webhook-endpoints/', { url: receiver.url, import_suppliers: [other.code] });
  expect([refused.status, refused.body.errors]).toMatchObject([400, [{ attr: 'import_suppliers.0' }]]);
  const { id } = await hook({ import_suppliers: [wanted.code, wanted.code] });
  await addEvents(service, supplier, { accounts: 25_000 });
  await addEvents(service, wanted, { accounts: 1 });
  // One whose answer was late is sent again.
  const suppliers = () => new Set(receiver.messages.map((message) => JSON.parse(message.body).data.import_supplier));
  await until(() => receiver.messages.length > 0);
  expect([...suppliers()]).toEqual([wanted.code]);
  const { body } = await supplier.post(`webhook-endpoints/${id}/update/`, { import_suppliers: [] });
  expect([(await endpoints())[0].import_suppliers, body.import_suppliers]).toEqual([[], []]);
  await addEvents(service, supplier, { accounts: 1 });
  await until(() => suppliers().has(supplier.code));
});

test('28.3.3 after a rotation messages are signed with both secrets, and after 24 hours with the new one', async () => {
  const { id, secret: former } = await hook();
  const { body } = await supplier.post(`webhook-endpoints/${id}/rotate-secret/`, {});
  expect(body.previous_secret_until).not.toBeNull();
  await supplier.stage();
  await until(() => receiver.messages.length === 1);
  later += 25 * HOUR_MS;
  const signaturesOf = ({ headers }: ReceivedMessage) => String(headers['webhook-signature']).split(' ');
  // An endpoint that was claimed before the day was over still signs with both.
  await until(async () => {
    await supplier.stage();
    return receiver.messages.some((message) => signaturesOf(message).length === 1);
  });
  const both = receiver.messages[0] as ReceivedMessage;
  const newOnly = receiver.messages.find((message) => signaturesOf(message).length === 1) as ReceivedMessage;
  expect(signaturesOf(both)).toHaveLength(2);
  for (const secret of [former, body.secret]) new Webhook(secret).verify(both.body, signatureOf(both));
  const at = new Date(Number(newOnly.headers['webhook-timestamp']) * 1_000);
  expect(newOnly.headers['webhook-signature']).toBe(new Webhook(body.secret).sign(newOnly.id, at, newOnly.body));
});

const HOSTILE = [
  { name: 'refuses', behaviour: { kind: 'answer', status: 500, body: 'no' }, failure: 'status', status: 500 },
  { name: 'hangs', behaviour: { kind: 'silence' }, failure: 'timed_out', status: null },
  { name: 'cuts', behaviour: { kind: 'reset' }, failure: 'connection_failed', status: null },
  {
    name: 'redirects',
    behaviour: { kind: 'answer', status: 307, headers: { location: '/other' }, body: '' },
    failure: 'redirected',
    status: 307,
  },
] as const;

test.each(HOSTILE)('28.4.1 28.5.4 a receiver that $name gets the message again, with the same id', async (hostile) => {
  const { failure, status } = hostile;
  receiver.behave(hostile.behaviour);
  const { id } = await hook();
  await addEvents(service, supplier, { accounts: 1 });
  await until(async () => (await deliveriesOf(id)).length === 1);
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'WAITING', failure, status, attempts: 1 });
  expect(await endpointOf(id)).toMatchObject({ failures: 1, waiting: 1 });
  receiver.behave({ kind: 'answer', status: 200, body: 'taken' });
  later += 10_000;
  await until(async () => (await deliveriesOf(id))[0].state === 'DELIVERED');
  expect((await deliveriesOf(id))[0]).toMatchObject({ attempts: 2, status: 200, answer: 'taken', failure: null });
  expect(new Set(receiver.messages.map((message) => message.id)).size).toBe(1);
  expect(receiver.messages.every(({ path }) => path === '/hook')).toBe(true);
  expect(await endpointOf(id)).toMatchObject({ failures: 0, failing_since: null, waiting: 0 });
});

test('28.5.4 what follows an accepting status changes nothing: rubbish, half a body, one that never ends', async () => {
  const { id } = await hook();
  const answers = [
    { kind: 'answer', status: 200, body: 'x\u0000'.repeat(100_000) },
    { kind: 'flood' },
    { kind: 'cut', body: 'half of it' },
    { kind: 'trickle', intervalMs: 20 },
  ] as const;
  receiver.behave(() => answers[(receiver.messages.length - 1) % answers.length] ?? { kind: 'silence' });
  await addEvents(service, supplier, { accounts: answers.length });
  await until(async () => (await deliveriesOf(id)).length === answers.length);
  const deliveries: { state: string; answer: string }[] = await deliveriesOf(id);
  expect(deliveries.map(({ state }) => state)).toEqual(answers.map(() => 'DELIVERED'));
  expect(Math.max(...deliveries.map(({ answer }) => answer.length))).toBe(1_024);
});

test('28.4.2 28.4.3 an endpoint that fails is left alone more and more, and disabled after three days', async () => {
  receiver.behave({ kind: 'answer', status: 503, body: '' });
  const { id } = await hook();
  await addEvents(service, supplier, { accounts: 40 });
  await until(async () => (await endpointOf(id)).failures >= 10);
  const before = receiver.messages.length;
  // At most those that were under way when the tenth failed.
  expect(before).toBeLessThan(20);
  // The more have failed, the longer is the pause.
  await until(() => {
    later += 10_000;
    return receiver.messages.length > before;
  });
  later += 73 * HOUR_MS;
  await until(async () => (await endpointOf(id)).state === 'DISABLED');
  expect(await endpointOf(id)).toMatchObject({ disabled_reason: 'failing' });
  expect(lanes.logged).toContainEqual({
    event: 'webhook_endpoint_disabled',
    facts: { webhook_endpoint_id: id, reason: 'failing' },
  });
  const trail = await service.staff.audit.list.query({ subject: 'webhook_endpoint', id });
  expect(trail.at(-1)).toMatchObject({ action: 'disabled', actor: 'service', detail: { reason: 'failing' } });

  receiver.behave({ kind: 'answer', status: 204, body: '' });
  await supplier.post(`webhook-endpoints/${id}/update/`, { enabled: true });
  const delivered = `SELECT FROM webhook_deliveries WHERE webhook_endpoint_id = $1 AND state = 'DELIVERED'`;
  await until(async () => {
    // On a busy machine an attempt takes too long, and its message is sent again after a pause.
    later += 10_000;
    return (await service.database.pool.query(delivered, [id])).rowCount === 40;
  });
});

test('28.4.3 an endpoint that answers 410 is disabled at once', async () => {
  receiver.behave({ kind: 'answer', status: 410, body: '' });
  const { id } = await hook();
  await addEvents(service, supplier, { accounts: 1 });
  await until(async () => (await endpointOf(id)).state === 'DISABLED');
  expect(await endpointOf(id)).toMatchObject({ disabled_reason: 'gone' });
});

test('28.6.2 28.6.3 a test is sent, and any message again, with its id', async () => {
  const { id } = await hook();
  const { body: asked } = await supplier.post(`webhook-endpoints/${id}/test/`, {});
  expect(asked).toMatchObject({ state: 'WAITING', attempts: 0, event_type: 'webhook.test' });
  await until(async () => (await deliveriesOf(id))[0].state === 'DELIVERED');
  expect(JSON.parse(receiver.messages[0]?.body ?? '')).toMatchObject({ id: asked.message_id, type: 'webhook.test' });
  const path = `webhook-endpoints/${id}/deliveries/${asked.message_id}/send-again/`;
  expect((await supplier.post(path, {})).body).toMatchObject({ state: 'WAITING' });
  await until(() => receiver.messages.length === 2);
  expect(receiver.messages[1]).toMatchObject({ id: asked.message_id, body: receiver.messages[0]?.body });
  expect((await supplier.post(path.replace(asked.message_id, 'evt_none'), {})).status).toBe(404);
});

test('28.4.1 28.6.1 a message that is refused for three days is given up, and listed so, while others are accepted', async () => {
  const { id } = await hook();
  let refused = '';
  receiver.behave((message) => {
    refused ||= message.id;
    return { kind: 'answer', status: message.id === refused ? 500 : 204, body: '' };
  });
  await addEvents(service, supplier, { accounts: 3 });
  const inState = async (state: string) =>
    (await supplier.get(`webhook-endpoints/${id}/deliveries/?state=${state}`)).body;
  await until(async () => (await deliveriesOf(id)).length === 3);
  later += 73 * HOUR_MS;
  await until(async () => (await inState('GIVEN_UP')).length === 1);
  expect(await inState('GIVEN_UP')).toMatchObject([{ message_id: refused, attempts: 2, next_attempt_at: null }]);
  expect([(await inState('DELIVERED')).length, await inState('WAITING')]).toEqual([2, []]);
  expect(await endpointOf(id)).toMatchObject({ state: 'ENABLED' });
});

test('28.2.2 what is about one account is sent in order, one after the other; what failed comes later', async () => {
  const answered = new Map<string, number>();
  const SLOWLY_MS = 40;
  receiver.behave(({ id, body, at }) => {
    const isFirst = !answered.has(id);
    answered.set(id, at + SLOWLY_MS);
    const isRefused = JSON.parse(body).type === 'account.staged' && body.includes(refused.external_account_number);
    return { kind: 'answer', status: isRefused && isFirst ? 500 : 204, body: '', delayMs: SLOWLY_MS };
  });
  const refused = supplier.account();
  const numbers: string[] = [refused.external_account_number];
  await hook();
  await supplier.importAccount({ external_account_number: refused.external_account_number });
  for (let account = 0; account < 3; account += 1) {
    numbers.push((await supplier.importAccount()).externalAccountNumber);
  }
  await until(() => answered.size === 12);
  await until(async () => (await deliveriesOf((await endpoints())[0].id)).length === 12);
  later += 10_000;
  // A machine that is slow enough has sent it again before.
  await until(() => receiver.messages.length >= 13);
  for (const number of numbers) {
    const messages = receiver.messages.filter(({ body }) => body.includes(`"${number}"`));
    const first = messages.filter(({ id }, index) => messages.findIndex((one) => one.id === id) === index);
    expect(first.map(({ body }) => JSON.parse(body).type)).toEqual([
      'account.staged',
      'account.created',
      'account.completed',
    ]);
    const isRefused = number === refused.external_account_number;
    const again = messages.filter((message) => !first.includes(message));
    expect(again.map(({ id }) => id)).toEqual(isRefused ? [first[0]?.id] : []);
    if (isRefused) continue;
    for (const [index, { at }] of messages.slice(1).entries()) {
      // A timer may be a millisecond early.
      expect(at - (answered.get(messages[index]?.id ?? '') ?? 0)).toBeGreaterThan(-2);
    }
  }
});

test('28.4.4 while 1,000 messages of an endpoint wait, no new ones are begun', async () => {
  const full = await hook({ url: `${receiver.url}/full` });
  await hook({ url: `${receiver.url}/free` });
  const { pool } = service.database;
  await pool.query(
    `INSERT INTO webhook_deliveries (webhook_endpoint_id, message_id, position, event_type, state, attempts, created_at,
       retried_since, last_attempted_at, next_attempt_at, failure)
     SELECT $1, 'evt_' || number, 0, 'account.staged', 'WAITING', 1, now(), now(), now(), $3::timestamptz + interval '9 days', 'timed_out'
     FROM generate_series(1, $2::int) AS number`,
    [full.id, LIMITS.webhook_waiting, clock()],
  );
  const lease = async () =>
    (await pool.query('SELECT lease::int FROM webhook_endpoints WHERE id = $1', [full.id])).rows[0].lease;
  // A lane may have looked at the endpoint before.
  const before = await lease();
  await addEvents(service, supplier, { accounts: 3 });
  const sentTo = (wanted: string) => receiver.messages.filter(({ path }) => path === wanted).length;
  await until(() => sentTo('/free') === 3);
  expect([sentTo('/full'), await lease()]).toEqual([0, before]);
  await pool.query(`DELETE FROM webhook_deliveries WHERE webhook_endpoint_id = $1 AND message_id = 'evt_1'`, [full.id]);
  await until(() => sentTo('/full') === 3);
});

test('28.6.1 what happened to a message is listed until 30 days after its last attempt', async () => {
  const { id } = await hook();
  await addEvents(service, supplier, { accounts: 1 });
  await until(async () => (await deliveriesOf(id)).length === 1);
  const inDays = (days: number) => new Date(clock().getTime() + days * 24 * HOUR_MS);
  await removeWebhookDeliveries(service.database, inDays(29));
  expect(await deliveriesOf(id)).toHaveLength(1);
  await removeWebhookDeliveries(service.database, inDays(31));
  expect(await deliveriesOf(id)).toEqual([]);
});
