import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { PACE } from '@causeway/runner';
import { expect, onTestFinished, test } from 'vitest';
import { lanePace } from '../../src/bulk/lane-pace.ts';
import { lanePoolSize, settingsOfLanes } from '../../src/bulk/lane-settings.ts';
import { createPartThreads, type PartThreads } from '../../src/bulk/part-threads.ts';
import { readEnvironment } from '../../src/env.ts';
import { line, ndjson } from './bulk-calls.ts';

const NOW = 0;
const WHENEVER = 600_000;
const SMALL = ndjson([line('A-1')]);
const LARGE = gzipSync(`{"x":[${'0,'.repeat(200_000)}0]}\n`.repeat(20));

function start(waitMs: number): PartThreads {
  const threads = createPartThreads(waitMs);
  onTestFinished(() => threads.stop());
  return threads;
}

/** How a part of this party ends: how many bodies it has, or the code of its refusal. */
function unpack(threads: PartThreads, party: string, { bytes = SMALL, client = new AbortController() } = {}) {
  const { signal } = client;
  const response = Object.assign(new EventEmitter(), { locals: { party }, destroyed: signal.aborted });
  signal.addEventListener('abort', () => {
    response.destroyed = true;
    response.emit('close');
  });
  const sent = { bytes: Buffer.from(bytes), encoding: 'identity' as const, digest: undefined, maxLineBytes: 1_000_000 };
  return threads.unpack(response as unknown as ServerResponse, { kind: 'book', sent }).then(
    ({ part }) => part.bodies.length,
    ({ code }) => code,
  );
}

test('21.4.9 a party has one part unpacked at a time, and others go before its next one', async () => {
  const threads = start(WHENEVER);
  // Both threads are there.
  await Promise.all([unpack(threads, 'greedy'), unpack(threads, 'other')]);
  const ended: string[] = [];
  const ends = (name: string) => () => ended.push(name);
  await Promise.all([
    unpack(threads, 'greedy', { bytes: LARGE }).then(ends('large')),
    unpack(threads, 'greedy').then(ends('small')),
    unpack(threads, 'other').then(ends('of another')),
  ]);
  expect(ended).toEqual(['of another', 'large', 'small']);
});

test('21.4.11 a part whose turn does not come in time is refused, and so is one that nobody waits for', async () => {
  const threads = start(NOW);
  expect(await Promise.all([unpack(threads, 'a', { bytes: LARGE }), unpack(threads, 'a')])).toEqual([
    10,
    'service_unavailable',
  ]);
  const client = new AbortController();
  client.abort();
  expect(await unpack(threads, 'a', { client })).toBe('service_unavailable');
  expect(await unpack(threads, 'a')).toBe(1);
});

test('21.4.11 nothing waits and nothing is held of a part whose client goes away while it waits or is unpacked', async () => {
  const threads = start(WHENEVER);
  const [first, second] = [new AbortController(), new AbortController()];
  const unpacked = unpack(threads, 'a', { bytes: LARGE, client: first });
  const waiting = unpack(threads, 'a', { bytes: LARGE, client: second });
  second.abort();
  expect(await Promise.race([unpacked, waiting.then((code) => `left: ${code}`)])).toBe('left: service_unavailable');
  first.abort();
  expect(await unpacked).toBe('service_unavailable');
  expect(await unpack(threads, 'a')).toBe(1);
});

test('21.4.9 a thread that ends is an error of its call', async () => {
  const threads = start(WHENEVER);
  const call = unpack(threads, 'a', { bytes: LARGE });
  await threads.stop();
  expect(await call).toBeUndefined();
});

const environmentOf = (variables: Record<string, string>) =>
  readEnvironment({ SMTP_URL: 'smtp://mail.example', BULK_LANES: '3', WEBHOOK_LANES: '5', ...variables });
const lanesOf = (variables: Record<string, string>) => {
  const environment = environmentOf(variables);
  return (['bulk', 'sending'] as const).map((kind) => {
    const settings = settingsOfLanes(environment, kind);
    const { bulk, emails, webhooks } = settings;
    return { bulk: bulk.lanes, emails: emails !== undefined, webhooks: webhooks.lanes, pool: lanePoolSize(settings) };
  });
};

test('21.11.1 what talks to strangers has a thread of its own, beside that of bulk jobs', () => {
  expect(lanesOf({})).toEqual([
    { bulk: 3, emails: false, webhooks: 0, pool: 5 },
    { bulk: 0, emails: true, webhooks: 5, pool: 4 },
  ]);
});

test('21.11.1 who leaves bulk jobs to others leaves e-mails to them, and no thread has nothing to do', () => {
  expect(lanesOf({ BULK_LANES: '0' })).toEqual([
    { bulk: 0, emails: false, webhooks: 0, pool: 0 },
    { bulk: 0, emails: false, webhooks: 5, pool: 2 },
  ]);
});

function measured() {
  const refused = { requestsAtWork: 0 };
  const pool = { waitingCount: 0 };
  const queue = { waiting: 0, parties: 0, waitingOf: () => 0 };
  const connections = { queue };
  const loop = { active: 0, idle: 0 };
  const admission = { counts: { refused } } as never;
  const pace = lanePace({ pool, admission, connections, eventLoop: () => ({ ...loop }) });
  /** The last of so many looks, each after the thread has worked this much of 50 ms. */
  const after = (looks: number, activeMs: number) => {
    let paced: number = Number.NaN;
    for (let look = 0; look < looks; look += 1) {
      loop.active += activeMs;
      loop.idle += 50 - activeMs;
      paced = pace();
    }
    return paced;
  };
  return { refused, pool, connections, after };
}

test('21.11.2 lanes work gently while the instance spends a tenth of its time on callers', () => {
  const { after } = measured();
  expect(after(1, 0)).toBe(PACE.FULL);
  expect(after(100, 4)).toBe(PACE.FULL);
  expect(after(100, 6)).toBe(PACE.GENTLE);
  expect(after(100, 0)).toBe(PACE.FULL);
});

test('21.11.2 one long request is no reason to wait', () => {
  const { after } = measured();
  after(10, 0);
  expect(after(1, 50 * 0.9)).toBe(PACE.FULL);
});

test('21.11.2 all lanes wait while callers wait for a connection, or are refused for overload', () => {
  const { after, refused, pool, connections } = measured();
  pool.waitingCount = 1;
  expect(after(1, 0)).toBe(PACE.NONE);
  pool.waitingCount = 0;
  connections.queue.waiting = 1;
  expect(after(1, 0)).toBe(PACE.NONE);
  connections.queue.waiting = 0;
  refused.requestsAtWork += 1;
  expect(after(1, 0)).toBe(PACE.NONE);
  expect(after(1, 0)).toBe(PACE.FULL);
});
