import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { claimWebhookEndpoints } from '@causeway/domain';
import { hasOpenssl, makeCertificates, type ReceivedMessage, startWebhookReceiver } from '@causeway/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestSupplier, until } from '../support/test-service.ts';
import { addEvents, createEndpoint, startLanes, type TestLanes } from './start-lanes.ts';

/** As `NODE_EXTRA_CA_CERTS` adds to them. */
const KNOWN = getCACertificates('default');
let lanes: TestLanes | undefined;

const service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
const receiver = await startWebhookReceiver();
afterAll(async () => {
  await lanes?.stop();
  await receiver.close();
  await service.stop();
});

/** One lane for all tests of this file, whichever is the first that needs it. */
function startSending(): void {
  lanes ??= startLanes(service, { lanes: 1, attemptMs: 2_000 });
}

async function createSupplierWithEndpoint(path: string): Promise<TestSupplier> {
  const supplier = await service.createSupplier();
  await createEndpoint(supplier, { url: `${receiver.url}${path}` });
  return supplier;
}

/** The endpoint of a supplier that has one. */
async function endpointOf(supplier: TestSupplier): Promise<string> {
  const { body } = await supplier.get('webhook-endpoints/');
  return `webhook-endpoints/${body[0].id}/`;
}

const sentTo = (wanted: string) => receiver.messages.filter(({ path }) => path === wanted);

test('28.2.4 an endpoint that is slow to answer leaves its only lane to another', async () => {
  const [slow, other] = [await createSupplierWithEndpoint('/slow'), await createSupplierWithEndpoint('/other')];
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
  receiver.behave(({ path }) =>
    path === '/slow' ? { kind: 'hold', until: asked } : { kind: 'answer', status: 204, body: '' },
  );
  await addEvents(service, slow, { accounts: 1 });
  const patient = startLanes(service, { lanes: 1, attemptMs: 600_000 });
  await until(() => sentTo('/slow').length === 1);
  await addEvents(service, other, { accounts: 1 });
  await until(() => sentTo('/other').length === 1);
  answer();
  await patient.stop();
  receiver.behave({ kind: 'answer', status: 204, body: '' });
  const { body } = await slow.get(await endpointOf(slow));
  expect(body).toMatchObject({ state: 'ENABLED', failing_since: null, last_delivered_at: expect.any(String) });
});

test('28.2.5 a lane has four endpoints at most that are slow to answer, and then the next one', async () => {
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
  receiver.behave({ kind: 'hold', until: asked });
  const paths = ['/slow-1', '/slow-2', '/slow-3', '/slow-4', '/slow-5'];
  for (const path of paths) await addEvents(service, await createSupplierWithEndpoint(path), { accounts: 1 });
  const patient = startLanes(service, { lanes: 1, attemptMs: 600_000, waitsAfterMs: 20 });
  const begun = () => paths.filter((path) => sentTo(path).length > 0).length;
  await until(() => begun() === 4);
  const looksAgainAt = performance.now() + 600;
  await until(() => begun() > 4 || performance.now() > looksAgainAt);
  expect(begun()).toBe(4);
  answer();
  await until(() => begun() === 5);
  await patient.stop();
  receiver.behave({ kind: 'answer', status: 204, body: '' });
});

test('28.2.5 what a dead instance had is sent by others within 10 seconds', async () => {
  await addEvents(service, await createSupplierWithEndpoint('/dead'), { accounts: 3 });
  const now = new Date();
  const claimed = await claimWebhookEndpoints(service.database, { now, healthy: 10, failing: 0 });
  const claimedAt = performance.now();
  expect(claimed).toHaveLength(1);
  expect(await claimWebhookEndpoints(service.database, { now, healthy: 10, failing: 0 })).toEqual([]);
  startSending();
  await until(() => sentTo('/dead').length === 3);
  expect((sentTo('/dead')[0]?.at ?? 0) - claimedAt).toBeLessThan(10_000);
});

test('28.2.1 28.2.4 the many events of one supplier, each sent once, do not keep one of another waiting', async () => {
  startSending();
  const [many, few] = [await createSupplierWithEndpoint('/many'), await createSupplierWithEndpoint('/few')];
  await addEvents(service, many, { accounts: 2_000 });
  await until(() => sentTo('/many').length > 100);
  await addEvents(service, few, { accounts: 1 });
  const addedAt = performance.now();
  await until(() => sentTo('/few').length === 1);
  expect((sentTo('/few')[0]?.at ?? 0) - addedAt).toBeLessThan(5_000);
  await until(() => sentTo('/many').length === 2_000);
  expect(new Set(sentTo('/many').map(({ id }) => id)).size).toBe(2_000);
});

test('28.6.2 what is asked for again while it is being sent is sent anew, whatever comes of the attempt', async () => {
  startSending();
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
  startSending();
  const supplier = await service.createSupplier();
  const { body: created } = await supplier.post('webhook-endpoints/', { url: `${receiver.url}/rotated` });
  const rotate = async () => (await supplier.post(`webhook-endpoints/${created.id}/rotate-secret/`, {})).body.secret;
  const secrets = [await rotate(), await rotate()];
  await addEvents(service, supplier, { accounts: 1 });
  await until(() => sentTo('/rotated').length === 1);
  const { body, headers } = sentTo('/rotated')[0] as ReceivedMessage;
  for (const secret of secrets) new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(() => new Webhook(created.secret).verify(body, headers as Record<string, string>)).toThrow('No matching');
});

const CERTIFICATES = [
  { of: 'of its host, by a known authority', name: 'DNS:localhost', isKnown: true, failure: null },
  { of: 'of another host', name: 'DNS:elsewhere.example', isKnown: true, failure: 'certificate_refused' },
  { of: 'of an unknown authority', name: 'DNS:localhost', isKnown: false, failure: 'certificate_refused' },
];

test.runIf(hasOpenssl).each(CERTIFICATES)(
  '28.5.5 over TLS, to a certificate $of',
  async ({ name, isKnown, failure }) => {
    startSending();
    const certificates = await makeCertificates(name);
    const secure = await startWebhookReceiver(certificates);
    onTestFinished(async () => {
      setDefaultCACertificates(KNOWN);
      await Promise.all([secure.close(), certificates.remove()]);
    });
    if (isKnown) setDefaultCACertificates([...KNOWN, await readFile(certificates.authority, 'utf8')]);
    const supplier = await service.createSupplier();
    await supplier.post('webhook-endpoints/', { url: `${secure.url}/tls` });
    await supplier.stage();
    const endpoint = await endpointOf(supplier);
    const deliveries = async () => (await supplier.get(`${endpoint}deliveries/`)).body;
    await until(async () => (await deliveries()).length === 1);
    expect(await deliveries()).toMatchObject([{ state: failure === null ? 'DELIVERED' : 'WAITING', failure }]);
    expect(secure.messages.map(({ path }) => path)).toEqual(failure === null ? ['/tls'] : []);
  },
);

test('28.3.4 an endpoint whose secret no instance reads for an hour is disabled, until its secret is rotated', async () => {
  await lanes?.stop();
  let later = 0;
  const clock = () => new Date(Date.now() + later);
  const supplier = await createSupplierWithEndpoint('/unreadable');
  const endpoint = await endpointOf(supplier);
  await addEvents(service, supplier, { accounts: 1 });
  lanes = startLanes(service, { clock, secret: 'another secret of the service' });
  const [, webhook_endpoint_id] = endpoint.split('/');
  const logged = () => lanes?.logged.filter(({ facts }) => facts.webhook_endpoint_id === webhook_endpoint_id);
  await until(() => logged()?.length === 1);
  // A minute later it looks again.
  later += 59 * 60_000;
  expect((await supplier.get(endpoint)).body).toMatchObject({ state: 'ENABLED', failures: 0 });
  later += 2 * 60_000;
  await until(async () => (await supplier.get(endpoint)).body.state === 'DISABLED');
  expect((await supplier.get(endpoint)).body).toMatchObject({ disabled_reason: 'secret_unreadable' });
  expect(logged()).toEqual([
    { event: 'webhook_secret_unreadable', facts: { webhook_endpoint_id } },
    { event: 'webhook_endpoint_disabled', facts: { webhook_endpoint_id, reason: 'secret_unreadable' } },
  ]);
  await lanes.stop();
  expect(sentTo('/unreadable')).toEqual([]);
  lanes = startLanes(service);
  const { body } = await supplier.post(`${endpoint}rotate-secret/`, {});
  await supplier.post(`${endpoint}update/`, { enabled: true });
  await until(() => sentTo('/unreadable').length === 1);
  const message = sentTo('/unreadable')[0] as ReceivedMessage;
  new Webhook(body.secret).verify(message.body, message.headers as Record<string, string>);
});

test('28.3.4 an instance with another secret leaves endpoints to those that read theirs, and disables none', async () => {
  await lanes?.stop();
  const supplier = await createSupplierWithEndpoint('/readable');
  const unreadableSince = async () =>
    (
      await service.database.pool.query('SELECT secret_unreadable_since FROM webhook_endpoints WHERE url LIKE $1', [
        '%/readable',
      ])
    ).rows[0].secret_unreadable_since;
  await addEvents(service, supplier, { accounts: 1 });
  const wrong = startLanes(service, { secret: 'another secret of the service' });
  await until(async () => (await unreadableSince()) !== null);
  lanes = startLanes(service);
  await until(() => sentTo('/readable').length === 1);
  await until(async () => (await unreadableSince()) === null);
  expect((await supplier.get(await endpointOf(supplier))).body).toMatchObject({ state: 'ENABLED', failures: 0 });
  await wrong.stop();
});
