import { expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, createClient, eachRecord, failureOf, refusalOf } from '../src/index.ts';
import { answered, refused, startScriptedService, type Turn } from './scripted-service.ts';

async function start(turns: readonly Turn[], options: Partial<ClientOptions> = {}) {
  const service = await startScriptedService(turns);
  onTestFinished(() => service.close());
  const client = createClient({ url: service.url, apiKey: 'k'.repeat(40), firstPauseMs: 1, ...options });
  return { service, client };
}

const BUSY = refused(503, 'service_unavailable');
const LIMITED = refused(429, 'concurrency_limit_exceeded');
const STAGE = { import_supplier: 'NW-1', external_account_number: '1', customers: [{ family_name: 'Hartley' }] };
const STAGED = { import_supplier: 'NW-1', external_account_number: '1' };
const SETTINGS = { code: 'NW-1', status: 'PAUSED' as const };

test.each<[string, Turn]>([
  ['503', BUSY],
  ['429', refused(429, 'rate_limited')],
  ['a connection that is cut', 'cut'],
  ['an answer that is cut off', 'cut in the body'],
  ['an answer of somebody else', { status: 502, body: 'Bad gateway' }],
])('19.8 sends a read again after %s', async (_, turn) => {
  const { service, client } = await start([turn, turn, answered([])]);
  expect(await client.organisations.list.query({})).toEqual([]);
  expect(service.requests).toHaveLength(3);
});

test('19.8 waits as long as Retry-After says', async () => {
  const { client } = await start([
    refused(503, 'service_unavailable', { headers: { 'Retry-After': '1' } }),
    answered([]),
  ]);
  const startedAt = performance.now();
  await client.organisations.list.query({});
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

test.each<[string, Turn]>([
  ['503', BUSY],
  ['429', LIMITED],
  ['a connection that is cut', 'cut'],
  ['500 of a vendor that cannot be reached', refused(500, 'payment_vendor_unavailable')],
  ['409 while the first one is at work', refused(409, 'idempotency_key_in_progress')],
])('19.8 sends a call with an Idempotency-Key again after %s', async (_, turn) => {
  const { service, client } = await start([turn, answered(STAGED)]);
  const answer = await client.dataImport.stageAccount.mutate(STAGE, { context: { idempotencyKey: 'a' } });
  expect([answer, service.requests.length]).toEqual([STAGED, 2]);
});

test.each<[string, Turn, string]>([
  ['503', BUSY, 'refused'],
  ['a connection that is cut', 'cut', 'unavailable'],
])('19.8 does not send a mutation without a key again after %s: it may have taken effect', async (_, turn, kind) => {
  const { service, client } = await start([turn, answered(SETTINGS)]);
  const error = await client.importSuppliers.setStatus.mutate(SETTINGS).catch((reason: unknown) => reason);
  expect([failureOf(error)?.kind, service.requests.length]).toEqual([kind, 1]);
});

test.each([
  ['429', LIMITED],
  ['a 503 that says so', refused(503, 'service_unavailable', { begun: false })],
])('19.8 sends any call again where nothing was begun: %s', async (_, turn) => {
  const { service, client } = await start([turn, answered(SETTINGS)]);
  await client.importSuppliers.setStatus.mutate(SETTINGS);
  expect(service.requests).toHaveLength(2);
});

test('19.8 sends a call once more, with a new token, where its token has expired', async () => {
  const { service, client } = await start([refused(401, 'token_expired'), answered(SETTINGS)]);
  await client.importSuppliers.setStatus.mutate(SETTINGS);
  expect(service.requests.map(({ token }) => token)).toEqual(['Token T-1', 'Token T-2']);
});

test('19.8 sends no refused call again, and none more often than it may', async () => {
  const { service, client } = await start([refused(400, 'import_supplier_does_not_exist'), BUSY], { attempts: 3 });
  await expect(client.organisations.list.query({})).rejects.toThrow('No.');
  expect(service.requests).toHaveLength(1);
  const error = await client.organisations.list.query({}).catch((reason: unknown) => reason);
  expect([refusalOf(error)?.code, service.requests.length]).toEqual(['service_unavailable', 4]);
});

test('19.8 stops where the caller no longer wants it', async () => {
  const { service, client } = await start([BUSY], { firstPauseMs: 60_000 });
  const controller = new AbortController();
  const call = client.organisations.list.query({}, { signal: controller.signal });
  await expect.poll(() => service.requests.length).toBe(1);
  controller.abort();
  await expect(call).rejects.toThrow();
  expect(service.requests).toHaveLength(1);
});

test('19.9 gives a request up after its time', async () => {
  // On a busy machine the time may be over before the request arrives.
  for (let timeoutMs = 50, arrived = 0; arrived < 2; timeoutMs *= 2) {
    const { service, client } = await start(['hang'], { timeoutMs, attempts: 2 });
    const error = await client.organisations.list.query({}).catch((reason: unknown) => reason);
    expect(failureOf(error)).toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('timeout') });
    arrived = service.requests.length;
    expect(arrived).toBeLessThan(3);
  }
});

test('19.9 sends a few requests at once, the others in their turn', async () => {
  const service = await startScriptedService([answered(STAGED)], 3);
  onTestFinished(() => service.close());
  const client = createClient({ url: service.url, apiKey: 'k'.repeat(40), concurrency: 3 });
  const keys = Array.from({ length: 40 }, (_, index) => ({ context: { idempotencyKey: `K-${index}` } }));
  await Promise.all(keys.map((key) => client.dataImport.stageAccount.mutate(STAGE, key)));
  expect([service.requests.length, service.most()]).toEqual([40, 3]);
});

test('19.3 tells a refusal, a bad key and a dead service apart', async () => {
  const { client } = await start([refused(400, 'import_supplier_does_not_exist')]);
  const error = await client.importSuppliers.get.query({ code: 'X' }).catch((reason: unknown) => reason);
  expect(failureOf(error)).toMatchObject({ kind: 'refused', code: 'import_supplier_does_not_exist', status: 400 });
  const nobody = createClient({ url: 'http://127.0.0.1:1', apiKey: 'k'.repeat(40), firstPauseMs: 1 });
  const silence = await nobody.organisations.list.query({}).catch((reason: unknown) => reason);
  expect([failureOf(silence)?.kind, refusalOf(silence)]).toEqual(['unavailable', undefined]);
  expect(failureOf(new Error('another'))).toBeUndefined();
});

test('19.3 the code of a refusal is one of the published ones', async () => {
  const { client } = await start([refused(400, 'import_supplier_does_not_exist')]);
  const error = await client.importSuppliers.get.query({ code: 'X' }).catch((reason: unknown) => reason);
  const code = refusalOf(error)?.code;
  // @ts-expect-error a code that is not published
  expect(code === 'no_such_code').toBe(false);
  expect(code === 'import_supplier_does_not_exist').toBe(true);
});

const NEXT = '</trpc/organisations.list?input=%7B%22after%22%3A%22x%22%7D>; rel="next"';
const emptyPage = (headers: Record<string, string>): Turn => ({
  ...{ status: 200, body: { result: { data: [] } } },
  headers: { Link: NEXT, ...headers },
});

test('19.10 asks for the page behind an empty one after a pause, whether or not its Retry-After has come', async () => {
  const { client } = await start([emptyPage({}), answered([])]);
  const startedAt = performance.now();
  for await (const _ of eachRecord(client.organisations.list, {}));
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

test('19.10 ends its pause when its caller aborts', async () => {
  const { client, service } = await start([emptyPage({ 'Retry-After': '3600' })]);
  const controller = new AbortController();
  const records = eachRecord(client.organisations.list, {}, { signal: controller.signal });
  const next = records.next().catch((error: unknown) => error);
  await vi.waitUntil(() => service.requests.length === 1);
  controller.abort();
  expect(await next).toBeInstanceOf(Error);
  expect(service.requests).toHaveLength(1);
});
