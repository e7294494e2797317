import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createPartThreads, type PartThreads } from '../../src/bulk/part-threads.ts';
import { line, ndjson } from './bulk-calls.ts';

const NOW = 0;
const WHENEVER = 600_000;
const SMALL = ndjson([line('A-1')]);
const LARGE = gzipSync(`{"x":[${'0,'.repeat(200_000)}0]}\n`.repeat(40));

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
    20,
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
