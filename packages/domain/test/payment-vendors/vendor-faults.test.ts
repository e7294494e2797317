import { type FakeVendor, startFakeVendor, startTalker, type VendorBehaviour } from '@causeway/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { failureOf, testedVendors } from './vendors.ts';

let fake: FakeVendor;
let other: FakeVendor;
[fake, other] = await Promise.all([startFakeVendor(), startFakeVendor()]);
afterAll(() => Promise.all([fake.close(), other.close()]));

describe.each(testedVendors)('$kind vendor', ({ kind, connect, path, answer, details }) => {
  const fetchFrom = (reference: string, behaviour: VendorBehaviour, timeLimitMs = 60_000) => {
    fake.behaveFor(reference, behaviour);
    return connect({ baseUrl: fake.url, timeLimitMs }).fetchInstruction(reference, 'CARD');
  };

  test('4.7 asks once, over real HTTP, below the path of its base URL', async () => {
    const reference = `pm_ok_${kind}`;
    fake.behaveFor(reference, { kind: 'answer', body: answer(reference) });
    const vendor = connect({ baseUrl: `${fake.url}/base/` });
    expect(await vendor.fetchInstruction(reference, 'CARD')).toStrictEqual(details(reference));
    expect(fake.requestCount(reference)).toBe(1);
    expect(fake.requests.at(-1)?.url.split('?')[0]).toBe(`/base${path}/${reference}`);
  });

  test.each<[string, string, (body: Record<string, unknown>) => VendorBehaviour]>([
    ['a body that is cut', 'cut', (body) => ({ kind: 'cut', body })],
    ['a body without end', 'flood', () => ({ kind: 'flood' })],
    ['a body over 64 kB', 'large', (body) => ({ kind: 'answer', body: { ...body, padding: ' '.repeat(65_536) } })],
    [
      'a body not packed as said',
      'gzip',
      (body) => ({ kind: 'answer', body, headers: { 'content-encoding': 'gzip' } }),
    ],
  ])('4.7 takes %s for an intermittent failure, and asks once', async (_name, fault, behaviourOf) => {
    const reference = `pm_${fault}_${kind}`;
    const failure = await failureOf(fetchFrom(reference, behaviourOf(answer(reference))));
    expect(failure).toMatchObject({ code: 'payment_vendor_unavailable', severity: 'warn' });
    expect(failure.problem).not.toContain('TimeoutError');
    expect(failure.problem.includes('more than 65536 bytes')).toBe(fault === 'flood' || fault === 'large');
    expect(fake.requestCount(reference)).toBe(1);
  });

  test.each([
    ['early hints', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['a head, byte by byte', 'HTTP/1.1 200 OK\r\nx: ', 'y'],
    ['a body, byte by byte', 'HTTP/1.1 200 OK\r\n\r\n', ' '],
  ])('4.7 leaves a vendor that sends %s without an end, whatever its time', async (_name, beginning, again) => {
    await using talker = await startTalker({ beginning, again });
    const vendor = connect({ baseUrl: `http://127.0.0.1:${talker.port}`, timeLimitMs: 600_000 });
    expect(await failureOf(vendor.fetchInstruction('pm_talk', 'CARD'))).toMatchObject({
      code: 'payment_vendor_unavailable',
    });
    await expect.poll(() => talker.counts.left).toBe(talker.counts.opened);
  });

  test('4.7 takes a reset connection for an intermittent failure, and asks once more before', async () => {
    const reference = `pm_reset_${kind}`;
    const failure = await failureOf(fetchFrom(reference, { kind: 'reset' }));
    expect(failure).toMatchObject({ code: 'payment_vendor_unavailable', severity: 'warn' });
    expect(fake.requestCount(reference)).toBe(2);
  });

  test('4.7 asks on a new connection if the vendor has closed the one that it kept open', async () => {
    // Of its own, so that one connection is kept open to it.
    const own = await startFakeVendor();
    const vendor = connect({ baseUrl: own.url });
    own.behaveFor('pm_first', { kind: 'answer', body: answer('pm_first') });
    own.behaveFor('pm_stale', { kind: 'stale', body: answer('pm_stale') });
    await vendor.fetchInstruction('pm_first', 'CARD');
    // Then the connection is free again.
    await new Promise(setImmediate);
    expect(await vendor.fetchInstruction('pm_stale', 'CARD')).toStrictEqual(details('pm_stale'));
    expect(own.requestCount('pm_stale')).toBe(2);
    await own.close();
  });

  test.each<[string, VendorBehaviour]>([
    ['a vendor that never answers', { kind: 'silence' }],
    ['a late answer', { kind: 'answer', delayMs: 60_000 }],
    ['a body that stalls', { kind: 'stall', body: answer('pm_stall') }],
    ['a body that trickles on', { kind: 'trickle', intervalMs: 5 }],
  ])('4.7 leaves %s when the time limit is over, and asks once', async (_name, behaviour) => {
    // On a busy machine the time may be over before the vendor is reached.
    for (let timeLimitMs = 50, asked = 0; asked === 0; timeLimitMs *= 2) {
      const reference = `pm_${behaviour.kind}_${timeLimitMs}_${kind}`;
      const failure = await failureOf(fetchFrom(reference, behaviour, timeLimitMs));
      expect(failure).toMatchObject({ code: 'payment_vendor_unavailable', severity: 'warn' });
      expect(failure.problem).toContain('TimeoutError');
      asked = fake.requestCount(reference);
      expect(asked).toBeLessThan(2);
    }
  });

  test('4.7 follows no redirect: its target is never asked', async () => {
    const headers = { location: `${other.url}/elsewhere` };
    const failure = await failureOf(fetchFrom(`pm_redirect_${kind}`, { kind: 'answer', status: 307, headers }));
    expect(failure.code).toBe('payment_vendor_rejected');
    expect(other.requestCount()).toBe(0);
  });

  test('4.7 leaves an endless body of an error at its status', async () => {
    const failure = await failureOf(
      fetchFrom(`pm_404_${kind}`, { kind: 'answer', status: 404, body: 'x'.repeat(1e7) }),
    );
    expect(failure.code).toBe('payment_vendor_rejected');
  });

  test('4.7 takes a refused connection and an unknown host for intermittent failures', async () => {
    const gone = await startFakeVendor();
    await gone.close();
    for (const baseUrl of [gone.url, 'http://vendor.invalid']) {
      const failure = await failureOf(connect({ baseUrl }).fetchInstruction('pm_1', 'CARD'));
      expect(failure).toMatchObject({ code: 'payment_vendor_unavailable', severity: 'warn' });
    }
  });

  test.each([
    '..',
    '.',
    '',
    '../charges',
    'a/../../b',
    '%2e%2e',
    '..%2f..',
    'pm_1?x=1',
    'pm_1#x',
    'pm 1',
    'é\u0000\n',
    '\\..',
    '\ud800',
  ])('4.7 lets no reference leave its place in the path: %j', async (reference) => {
    const before = fake.requestCount();
    fake.behave({ kind: 'answer', status: 404 });
    const failure = await failureOf(connect({ baseUrl: `${fake.url}/base` }).fetchInstruction(reference, 'CARD'));
    expect(failure.code).toBe('payment_vendor_rejected');
    for (const request of fake.requests.slice(before)) {
      expect(request.url).toMatch(new RegExp(`^/base${path}/[^/?#]+(\\?type=CARD)?$`));
      expect(request.reference).toBe(reference);
    }
  });
});
