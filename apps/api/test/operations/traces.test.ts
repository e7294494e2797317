import { startFakeVendor } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/start-collector.ts';
import { createTestSupplier, startTestService, type TestSupplier, until } from '../support/test-service.ts';

const CANARY = 'Canary';
/** Hexadecimal, of 32 and 16 digits. */
const traceOf = (number: number) => number.toString(16).padStart(32, 'a');
const CALLER = '00f067aa0ba902b7';

let collector: Collector;
const service = await startTestService();
const vendor = await startFakeVendor();
const details = { brand: 'visa' };
vendor.behave({ kind: 'answer', body: { reference: 'pm_Canary', type: 'CARD', status: 'ACTIVE', details } });
afterAll(async () => {
  await service.stop();
  await vendor.close();
});

/** An instance that traces, and a supplier that calls it; `finish` stops it and returns what it traced. */
async function startTraced(variables: Record<string, string> = {}) {
  collector = await startCollector();
  const made = await service.createSupplier();
  const instance = await service.startInstance({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    PAYMENT_VENDORS: JSON.stringify([{ name: 'ACME', kind: 'http', base_url: vendor.url, secret: 'CanarySecret' }]),
    ...variables,
  });
  const supplier: TestSupplier = createTestSupplier({ ...made, url: instance.url });
  const finish = async () => {
    await instance.stop();
    collector.close();
    return collector.spans;
  };
  return { supplier, finish };
}

const traced = (number: number, flags = '01') => ({ traceparent: `00-${traceOf(number)}-${CALLER}-${flags}` });
const namesOf = (spans: CollectedSpan[]) => spans.map(({ name }) => name);

test('16.11.1 16.11.5 an account is traced from end to end in the traces of its callers, without any of its data', async () => {
  const { supplier, finish } = await startTraced();
  const account = supplier.account({ billing_name: CANARY, customers: [{ family_name: CANARY }] });
  const number = account.external_account_number;
  const reference = { import_supplier: supplier.code, external_account_number: number };
  const instruction = { ...reference, vendor: 'ACME', reference: 'pm_Canary', type: 'CARD' };
  const { post } = supplier;
  expect(await post(STAGE, account, traced(1))).toMatchObject({ status: 201 });
  expect(await post(PROCESS, supplier.processRequest(number), traced(2))).toMatchObject({ status: 201 });
  expect(await post('payment-instruction/create/', instruction, traced(3))).toMatchObject({ status: 201 });
  expect(
    await post('notes/create/', { ...reference, notes: [{ body: CANARY, x: 1, type: CANARY }] }, traced(4)),
  ).toMatchObject({ status: 201 });
  expect(await post(PROCESS, { ...supplier.processRequest(number), dry_run: CANARY }, traced(5))).toMatchObject({
    status: 400,
  });
  const spans = await finish();

  const wanted = [
    { operation: 'dataImport.stageAccount', statement: 'stage-accounts', status: '201' },
    { operation: 'dataImport.processAccount', statement: 'process-accounts', status: '201' },
    { operation: 'dataImport.importPaymentInstruction', statement: undefined, status: '201' },
    { operation: 'dataImport.importNotes', statement: undefined, status: '201' },
    { operation: 'dataImport.processAccount', statement: undefined, status: '400' },
  ];
  const ids = new Set<unknown>();
  for (const [index, { operation, statement, status }] of wanted.entries()) {
    const trace = spans.filter(({ traceId }) => traceId === traceOf(index + 1));
    const [root, ...more] = trace.filter(({ parentSpanId }) => parentSpanId === CALLER);
    expect(more).toEqual([]);
    expect(root).toMatchObject({ name: operation, kind: 2, attributes: { 'causeway.import_supplier': supplier.code } });
    expect(String(root?.attributes['http.response.status_code'])).toBe(status);
    ids.add(root?.attributes['causeway.account_import_id']);
    const children = trace.filter((span) => span !== root);
    expect(children.length).toBeGreaterThan(0);
    for (const { kind, parentSpanId, attributes, name } of children) {
      expect([kind, parentSpanId]).toEqual([3, root?.spanId]);
      if (!name.startsWith('ask ')) expect(attributes['db.query.summary']).toBe(name);
    }
    if (statement !== undefined) expect(namesOf(children)).toContain(statement);
  }
  expect(ids.size).toBe(1);

  const [asked] = vendor.requests;
  const call = spans.find(({ name }) => name === 'ask ACME');
  expect(call).toMatchObject({ traceId: traceOf(3), attributes: { 'peer.service': 'ACME' } });
  expect(asked?.headers.traceparent).toBe(`00-${traceOf(3)}-${call?.spanId}-01`);

  const text = collector.bodies.join();
  expect(text).toContain(supplier.code);
  for (const secret of [CANARY, supplier.apiKey, supplier.token, number, account.customers?.[0]?.email ?? CANARY]) {
    expect(text).not.toContain(secret);
  }
});

test('16.11.1 background work is a trace of its own', async () => {
  const { supplier, finish } = await startTraced();
  await until(async () => {
    const text = await (await fetch(`${supplier.url}/metrics`)).text();
    return text.includes('causeway_background_runs_total{run="remove_staged_payloads",outcome="done"} 1');
  });
  const spans = await finish();
  const run = spans.find(({ name }) => name === 'purge_answers');
  expect(run).toMatchObject({ kind: 1, parentSpanId: undefined });
  expect(spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId).length).toBeGreaterThan(0);
});

test('16.11.1 calls that share a statement have it in each of their traces', async () => {
  const { supplier, finish } = await startTraced();
  const calls = Array.from({ length: 12 }, (_, index) => supplier.post(STAGE, supplier.account(), traced(100 + index)));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(201);
  const spans = await finish();
  const statements = spans.filter(({ name, traceId }) => name === 'stage-accounts' && traceId.startsWith('aaa'));
  expect(new Set(statements.map(({ traceId }) => traceId)).size).toBe(12);
  for (const { traceId, parentSpanId } of statements) {
    const root = spans.find((span) => span.traceId === traceId && span.name === 'dataImport.stageAccount');
    expect(parentSpanId).toBe(root?.spanId);
  }
  expect(statements.some(({ attributes }) => Number(attributes['causeway.shared_by']) > 1)).toBe(true);
});

test('16.11.2 a malformed traceparent is ignored, and a caller that does not record is followed', async () => {
  const { supplier, finish } = await startTraced();
  const number = await supplier.stage();
  const malformed = { traceparent: `00-${traceOf(7)}-${CALLER}` };
  expect(await supplier.post(PROCESS, supplier.processRequest(number), malformed)).toMatchObject({ status: 201 });
  const instruction = { import_supplier: supplier.code, external_account_number: number, vendor: 'ACME' };
  const asked = { ...instruction, reference: 'pm_Canary', type: 'CARD' };
  const answer = await supplier.post('payment-instruction/create/', asked, { ...traced(8, '00'), tracestate: 'a=1' });
  expect(answer).toMatchObject({ status: 201 });
  const spans = await finish();
  const root = spans.find(({ name }) => name === 'dataImport.processAccount');
  expect(root?.parentSpanId).toBeUndefined();
  expect(spans.map(({ traceId }) => traceId)).not.toContain(traceOf(7));
  expect(spans.map(({ traceId }) => traceId)).not.toContain(traceOf(8));
  const headers = vendor.requests.at(-1)?.headers;
  expect(headers?.traceparent).toMatch(new RegExp(`^00-${traceOf(8)}-[0-9a-f]{16}-00$`));
  expect(headers?.tracestate).toBe('a=1');
});

test('16.11.4 calls and the stop do not wait for a collector that is down', async () => {
  const { supplier, finish } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expect(await supplier.importAccount()).toMatchObject({ externalAccountNumber: expect.any(String) });
  expect(await finish()).toEqual([]);
});
