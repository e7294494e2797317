import { startTalker, type Talk } from '@causeway/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createAddressRules } from '../../src/webhooks/address-rules.ts';
import { openWebhookSender } from '../../src/webhooks/send-webhook.ts';

// Receivers that are hostile byte by byte: an attempt costs little, whatever is sent.

/** Longer than a test takes: whatever ends an attempt sooner is no time limit. */
const TIMEOUTS = { connectMs: 600_000, attemptMs: 600_000 };
const HINT = 'HTTP/1.1 103 Early Hints\r\n\r\n';

async function sendTo(talk: Talk) {
  const talker = await startTalker(talk);
  onTestFinished(() => talker[Symbol.asyncDispose]());
  const addresses = createAddressRules(['127.0.0.0/8']);
  const sender = await openWebhookSender(`http://127.0.0.1:${talker.port}/`, { addresses, timeouts: TIMEOUTS });
  onTestFinished(() => sender.close());
  const answer = await sender.send({ body: '{}', headers: {} });
  return { answer, isLeft: () => talker.counts.left > 0 };
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
const ENDLESS = [
  { name: 'early hints, many at a time', beginning: '', again: HINT.repeat(1_000), failure: 'connection_failed' },
  { name: 'early hints, one by one', beginning: '', again: HINT, failure: 'connection_failed' },
  { name: 'continues', beginning: '', again: 'HTTP/1.1 100 Continue\r\n\r\n', failure: 'connection_failed' },
  { name: 'a head, header by header', beginning: HEAD, again: 'x: y\r\n', failure: 'connection_failed' },
  { name: 'a head, byte by byte', beginning: `${HEAD}x: `, again: 'y', failure: 'connection_failed' },
  { name: 'a head of early hints', beginning: 'HTTP/1.1 103 x\r\n', again: 'x: y\r\n', failure: 'connection_failed' },
  { name: 'a body, byte by byte', beginning: `${HEAD}\r\n`, again: 'y', failure: null },
  {
    name: 'chunks of a byte',
    beginning: `${HEAD}transfer-encoding: chunked\r\n\r\n`,
    again: '1\r\ny\r\n',
    failure: null,
  },
  { name: 'a body without an end', beginning: `${HEAD}\r\n`, again: 'y'.repeat(60_000), failure: null },
  {
    name: 'trailers',
    beginning: `${HEAD}transfer-encoding: chunked\r\n\r\n0\r\n`,
    again: 'x: y\r\n',
    failure: null,
  },
];

test.each(ENDLESS)('28.5.4 a receiver that sends $name is left', async ({ failure, ...talk }) => {
  const { answer, isLeft } = await sendTo(talk);
  expect(answer).toMatchObject({ failure, status: failure === null ? 200 : null });
  await expect.poll(isLeft).toBe(true);
});

test('28.5.4 a receiver that says a few early hints first is heard', async () => {
  const { answer } = await sendTo({ beginning: `${HINT.repeat(10)}${HEAD}content-length: 2\r\n\r\nok`, again: '' });
  expect(answer).toMatchObject({ failure: null, status: 200, answer: 'ok' });
});

test('28.5.4 what a receiver sends after its answer, over a connection that is kept, is not read for long', async () => {
  const beginning = `${HEAD}content-length: 2\r\n\r\nok`;
  const { answer, isLeft } = await sendTo({ beginning, again: 'HTTP/1.1 200 OK\r\n' });
  expect(answer).toMatchObject({ failure: null, status: 200, answer: 'ok' });
  await expect.poll(isLeft).toBe(true);
});
