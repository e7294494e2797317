import { createSocket } from 'node:dgram';
import { Agent } from 'node:http';
import { startWebhookReceiver } from '@causeway/testing';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createAddressRules, createNameResolver, type NameResolver } from '../../src/webhooks/address-rules.ts';
import { openWebhookSender, type WebhookAnswer } from '../../src/webhooks/send-webhook.ts';

const ADDRESS_BYTES = Buffer.from([127, 0, 0, 1]);
const A_RECORD = 1;
/** Each message needs a connection of its own. */
const ACCEPTS = { kind: 'answer', status: 204, headers: { connection: 'close' }, body: '' } as const;

const receiver = await startWebhookReceiver();
receiver.behave(ACCEPTS);
afterAll(() => receiver.close());

/** A name server of which each name leads to this machine, if it answers; or that knows none. */
async function startNameServer(kind: 'answers' | 'silent' | 'empty'): Promise<string[]> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    if (kind === 'silent') return;
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isFound = kind === 'answers' && question.readUInt16BE(question.length - 4) === A_RECORD;
    // An answer without errors: the question, and one record of it that is valid for a minute.
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, Number(isFound), 0, 0, 0, 0]);
    const record = Buffer.concat([Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]), ADDRESS_BYTES]);
    socket.send(Buffer.concat([head, question, ...(isFound ? [record] : [])]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return [`127.0.0.1:${socket.address().port}`];
}

/** For what must arrive, on a busy machine too; and for what nobody answers. */
const [PATIENT, IMPATIENT] = [
  { connectMs: 60_000, attemptMs: 60_000 },
  { connectMs: 100, attemptMs: 300 },
];

/** Sends messages one after the other to a name, on the port of the receiver. */
async function sendTo(
  host: string,
  resolve: NameResolver,
  { messages = 1, timeouts = PATIENT } = {},
): Promise<WebhookAnswer[]> {
  const sender = await openWebhookSender(`http://${host}:${new URL(receiver.url).port}/${host}`, {
    addresses: createAddressRules(['127.0.0.0/8']),
    timeouts,
    resolve,
  });
  const answers: WebhookAnswer[] = [];
  for (let sent = 0; sent < messages; sent += 1) {
    answers.push(await sender.send({ body: '{}', headers: { 'webhook-id': String(sent) } }));
  }
  sender.close();
  return answers;
}

const arrivedAt = (host: string) => receiver.messages.filter(({ path }) => path === `/${host}`).length;

test('28.5.2 a name is resolved once: what it leads to later is not connected to', async () => {
  const found = ['127.0.0.1', '10.255.255.1'];
  const before = arrivedAt('changes.example');
  let asked = 0;
  const changing: NameResolver = async () => [found[asked++] ?? ''];
  expect(await sendTo('changes.example', changing, { messages: 2 })).toMatchObject([{ status: 204 }, { status: 204 }]);
  expect({ asked, arrived: arrivedAt('changes.example') - before }).toEqual({ asked: 1, arrived: 2 });
});

test('28.5.2 of several addresses only those that are allowed are connected to', async () => {
  const both: NameResolver = async () => ['10.255.255.1', '169.254.169.254', '127.0.0.1'];
  expect(await sendTo('both.example', both)).toMatchObject([{ failure: null, status: 204 }]);
});

test('28.5.2 a name that leads into a private network gets the answer of one that leads nowhere', async () => {
  const answers = [['10.255.255.1', '::1'], ['169.254.169.254'], []].map((found) =>
    sendTo('internal.example', async () => found),
  );
  const nowhere = { failure: 'name_not_found', status: null, duration_ms: 0, answer: null };
  expect(await Promise.all(answers)).toEqual([[nowhere], [nowhere], [nowhere]]);
  // The person who wrote it knows that this is an address.
  expect(await sendTo('10.255.255.1', async () => [])).toMatchObject([{ failure: 'address_not_allowed' }]);
});

test('28.5.4 a name is asked of the name servers, which have five seconds', async () => {
  const answering = createNameResolver({ servers: await startNameServer('answers') });
  expect(await sendTo('answered.example', answering)).toMatchObject([{ failure: null, status: 204 }]);
  const silent = createNameResolver({ servers: await startNameServer('silent') });
  const askedAt = performance.now();
  expect(await sendTo('unanswered.example', silent, { timeouts: IMPATIENT })).toMatchObject([
    { failure: 'timed_out', status: null },
  ]);
  // It gives up by itself after five seconds, and here has a tenth of one.
  expect(performance.now() - askedAt).toBeLessThan(4_000);
  expect(arrivedAt('unanswered.example')).toBe(0);
});

test('28.5.2 a name without a dot is asked of the system', async () => {
  expect(await createNameResolver({ servers: [] })('localhost', 10_000)).toContain('127.0.0.1');
});

test('28.5.3 a name that the name servers do not know is asked of the system where own networks are allowed', async () => {
  const servers = await startNameServer('empty');
  // A system reads this short form of an address as it does a name in /etc/hosts: without any name server.
  const host = '127.1';
  expect(await createNameResolver({ servers })(host, 10_000)).toEqual([]);
  expect(await createNameResolver({ servers, asksSystem: true })(host, 10_000)).toContain('127.0.0.1');
});

test('28.5.4 several addresses share the time that a connection has', async () => {
  const connected = vi.spyOn(Agent.prototype, 'createConnection');
  const three: NameResolver = async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'];
  expect(await sendTo('three.example', three)).toMatchObject([{ status: 204 }]);
  const each = PATIENT.connectMs / 3;
  expect(connected.mock.calls[0]?.[0]).toMatchObject({ autoSelectFamilyAttemptTimeout: each });
  connected.mockRestore();
});

test('28.5.4 a receiver that answers with early hints alone, or with another protocol, is waited for no longer', async () => {
  const early = { kind: 'answer', status: 103, headers: {}, body: '' } as const;
  receiver.behave(early);
  const known: NameResolver = async () => ['127.0.0.1'];
  expect(await sendTo('early.example', known, { timeouts: IMPATIENT })).toMatchObject([{ status: null }]);
  receiver.behave({ kind: 'answer', status: 101, headers: { connection: 'Upgrade', upgrade: 'other' }, body: '' });
  expect(await sendTo('other.example', known)).toMatchObject([{ failure: 'connection_failed', status: null }]);
  receiver.behave(ACCEPTS);
});
