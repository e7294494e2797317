import { claimWebhookEndpoints, deliverSlice, renewWebhookLeases } from '@causeway/domain';
import { startWebhookReceiver, TOKEN_SECRET } from '@causeway/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { webhookSettings } from '../../src/webhooks/webhook-settings.ts';
import { startTestService, type TestSupplier } from '../support/test-service.ts';
import { addEvents, createEndpoint } from './start-lanes.ts';

// Single turns of an endpoint, without lanes: what others do in one is done between the claim and the delivery.

const NETWORKS = '127.0.0.0/8';
let supplier: TestSupplier;

const service = await startTestService({ WEBHOOK_ALLOWED_NETWORKS: NETWORKS, WEBHOOK_LANES: '0' });
const receiver = await startWebhookReceiver();
receiver.behave({ kind: 'answer', status: 204, body: '' });
afterAll(async () => {
  await receiver.close();
  await service.stop();
});
beforeEach(async () => {
  supplier = await service.createSupplier();
});

const sentTo = (path: string) => receiver.messages.filter((message) => message.path === path);

/** The endpoint, if there is something to send to it; a test has one at a time. */
async function claim() {
  const [claimed] = await claimWebhookEndpoints(service.database, { now: new Date(), healthy: 1, failing: 0 });
  return claimed;
}

/** A turn of the endpoint that is due. What is done `meanwhile` is done once it is claimed. */
async function takeTurn(meanwhile: () => Promise<unknown> = async () => undefined) {
  const claimed = await claim();
  if (claimed === undefined) throw new Error('Nothing is due');
  await meanwhile();
  const webhooks = webhookSettings(
    { webhooks: { lanes: 1, allowedNetworks: [NETWORKS] } },
    { secret: TOKEN_SECRET, otherSecret: undefined },
  );
  const { database } = service;
  const observer = { mayBegin: () => true, countMessage: () => undefined };
  await deliverSlice({ database, clock: () => new Date(), webhooks }, claimed, observer);
  return claimed;
}

test('28.1.2 28.2.1 an endpoint that wants more events during a turn gets those that come in it', async () => {
  const { id } = await createEndpoint(supplier, { url: `${receiver.url}/more`, event_types: ['account.completed'] });
  await addEvents(service, supplier, { accounts: ['ONE'], type: 'account.staged' });
  await takeTurn(async () => {
    await addEvents(service, supplier, { accounts: ['ONE'], type: 'account.completed' });
    const changes = { event_types: ['account.completed', 'account.staged'] };
    expect((await supplier.post(`webhook-endpoints/${id}/update/`, changes)).status).toBe(200);
    await addEvents(service, supplier, { accounts: ['ONE'], type: 'account.staged' });
  });
  expect(sentTo('/more')).toHaveLength(1);
  await takeTurn();
  const types = sentTo('/more').map(({ body }) => JSON.parse(body).type);
  // The first of the three came before it was wanted; that it is sent too is no harm.
  expect(types).toEqual(['account.completed', 'account.staged', 'account.staged']);
});

test('28.2.5 an endpoint that was given back is not leased anew: any instance sends to it at once', async () => {
  await createEndpoint(supplier, { url: `${receiver.url}/given-back` });
  await addEvents(service, supplier, { accounts: ['ONE'], type: 'account.staged' });
  const claimed = await takeTurn();
  expect(await renewWebhookLeases(service.database, [claimed])).toEqual([]);
  await addEvents(service, supplier, { accounts: ['ONE'], type: 'account.staged' });
  await takeTurn();
  expect(sentTo('/given-back')).toHaveLength(2);
});
