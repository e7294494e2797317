import { randomUUID } from 'node:crypto';
import { accountImportId } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterEach, expect, test } from 'vitest';
import { createTestSupplier, obtainToken, serviceOfFile, type TestSupplier, until } from '../support/test-service.ts';
import { keptAnswers, marked, PROCESS, STAGE, seen } from './marked-calls.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

const service = await serviceOfFile();
const supplier = await service.createSupplier();
afterEach(() => service.setTime(undefined));

/** The same supplier at that time: tokens live for an hour. */
async function supplierAt(milliseconds: number): Promise<TestSupplier> {
  service.setTime(new Date(milliseconds).toISOString());
  return createTestSupplier({ ...supplier, token: await obtainToken(service.url, supplier.apiKey) });
}

test('12.1 keeps nothing without the header, and nothing of a GET with it', async () => {
  const { externalAccountNumber, reference } = await supplier.importAccount();
  await supplier.post('notes/create/', { ...reference, notes: [{ body: 'x' }] });
  const header = { 'Idempotency-Key': randomUUID() };
  const paths = [
    `account-transfer-status/${supplier.code}/${externalAccountNumber}/`,
    `all-account-import-processes/${supplier.code}/`,
  ];
  for (const path of [...paths, ...paths]) {
    expect(await supplier.get(path, header)).toMatchObject({ status: 200 });
  }
  expect(await supplier.get(paths[0] ?? '', { 'Idempotency-Key': '' })).toMatchObject({ status: 200 });
  expect(await keptAnswers(service)).toBe(0);
});

test('12.4 keeps nothing of a request that is refused before its procedure is reached', async () => {
  const header = { 'Idempotency-Key': randomUUID() };
  expect(await supplier.post(STAGE, '{', header)).toMatchObject({ status: 400 });
  expect(await supplier.post(STAGE, '{}', { ...header, 'Content-Type': 'text/plain' })).toMatchObject({ status: 415 });
  expect(await supplier.post(STAGE, '{}', { ...header, Authorization: '' })).toMatchObject({ status: 401 });
  expect(await keptAnswers(service)).toBe(0);
  expect(await supplier.post(STAGE, supplier.account(), header)).toMatchObject({ status: 201 });
});

test('12.1 keeps an answer for 24 hours, then the key is free for any request', async () => {
  const start = Date.now();
  service.setTime(new Date(start).toISOString());
  const body = supplier.account();
  const call = marked(supplier, STAGE, { body });
  const first = await call.send();
  expect(first).toMatchObject({ status: 201 });
  const justBefore = await supplierAt(start + DAY_MS - SECOND_MS);
  expect(seen(await marked(justBefore, STAGE, { body, key: call.key }).send())).toEqual(seen(first));
  const after = await supplierAt(start + DAY_MS + SECOND_MS);
  const next = marked(after, STAGE, { body: after.account(), key: call.key });
  expect(await next.send()).toMatchObject({ status: 201 });
  expect(await next.send()).toMatchObject({ status: 201 });
  expect(await marked(after, STAGE, { body, key: call.key }).send()).toMatchObject({ status: 422 });
});

test('12.1 removes what has expired, a few rows with each new key', async () => {
  await service.database.prisma.idempotencyKey.deleteMany();
  const start = Date.now();
  const calls = Array.from({ length: 12 }, () => marked(supplier, STAGE, { body: supplier.account() }));
  await Promise.all(calls.map(({ send }) => send()));
  expect(await keptAnswers(service)).toBe(12);
  const later = await supplierAt(start + DAY_MS + 60 * SECOND_MS);
  await marked(later, STAGE, { body: later.account() }).send();
  expect(await keptAnswers(service)).toBe(3);
  await marked(later, STAGE, { body: later.account() }).send();
  expect(await keptAnswers(service)).toBe(2);
});

test('12.1 removes all that has expired at the start of an instance', async () => {
  await service.database.prisma.idempotencyKey.deleteMany();
  const row = { claim: randomUUID(), claimed_until: new Date(), request_digest: new Uint8Array(32) };
  const kept = (expires_at: Date) => ({ ...row, id: randomUUID(), expires_at });
  const expired = Array.from({ length: 2_100 }, () => kept(new Date(Date.now() - SECOND_MS)));
  await service.database.prisma.idempotencyKey.createMany({ data: [...expired, kept(new Date(Date.now() + DAY_MS))] });
  await service.startInstance();
  // Nobody waits for it: it is done when it is.
  await until(async () => (await keptAnswers(service)) <= 1);
  expect(await keptAnswers(service)).toBe(1);
});

test('12.4 keeps an answer under a digest of the request, and of the key nothing at all', async () => {
  await service.database.prisma.idempotencyKey.deleteMany();
  const key = `key-${randomUUID()}`;
  const number = await supplier.stage();
  await marked(supplier, PROCESS, { body: supplier.processRequest(number), key }).send();
  const [row] = await service.database.prisma.idempotencyKey.findMany();
  expect(row).toMatchObject({ status: 201, headers: {}, request_digest: expect.any(Uint8Array) });
  expect(row?.request_digest).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(key);
  expect(JSON.stringify(row)).not.toContain(supplier.processRequest(number).operations_team_name);
});

test("12.1 keeps an answer as the account's that it is about, whatever undocumented field names another", async () => {
  await service.database.prisma.idempotencyKey.deleteMany();
  const other = await service.createSupplier();
  const number = await supplier.stage();
  const processed = { ...supplier.processRequest(number), import_supplier: other.code };
  expect(await marked(supplier, PROCESS, { body: processed }).send()).toMatchObject({ status: 201 });
  const staged = { ...supplier.account(), import_supplier_code: other.code };
  expect(await marked(supplier, STAGE, { body: staged }).send()).toMatchObject({ status: 201 });
  const third = await supplier.stage();
  const body = { ...supplier.processRequest(third), import_supplier: other.code };
  const headers = { 'Content-Type': 'application/json', Authorization: `Token ${supplier.token}` };
  const overTrpc = await fetch(`${service.url}/trpc/dataImport.processAccount`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': randomUUID() },
    body: JSON.stringify(body),
  });
  expect(overTrpc.ok).toBe(true);
  const rows = await service.database.prisma.idempotencyKey.findMany();
  const numbers = [number, staged.external_account_number, third];
  expect(rows.map(({ account_import_id }) => account_import_id).sort()).toEqual(
    numbers.map((one) => accountImportId(supplier.code, one)).sort(),
  );
});

test('12.4.4 claims no key for a request whose input is refused: nothing is written', async () => {
  using holder = await borrowConnection(service.database.pool);
  await holder.query('BEGIN');
  // Anyone who writes a key waits; anyone who reads one does not.
  await holder.query('LOCK TABLE idempotency_keys IN EXCLUSIVE MODE');
  const call = marked(supplier, STAGE, { body: { ...supplier.account(), account_type: 'lower case' } });
  expect(await call.send()).toMatchObject({ status: 400, body: { code: 'account_failed_validation' } });
  await holder.query('ROLLBACK');
  holder.release();
  const valid = marked(supplier, STAGE, { body: supplier.account(), key: call.key });
  expect(await valid.send()).toMatchObject({ status: 201 });
});

test('12.1.5 a repeat gets the first answer although what it sends is valid no more', async () => {
  const changing = await service.createSupplier({ of: supplier });
  const { reference } = await changing.importAccount();
  const notes = [{ body: 'Sent with a field that is undocumented', colour: 'red' }];
  const path = 'notes/create/';
  const call = marked(changing, path, { body: { ...reference, notes } });
  const first = await call.send();
  expect(first).toMatchObject({ status: 201 });
  await service.staff.importSuppliers.update.mutate({ code: changing.code, undocumented_fields: 'REJECT' });
  const repeat = marked(changing, path, { body: { ...reference, notes }, key: call.key });
  expect(seen(await repeat.send())).toEqual(seen(first));
  const anew = marked(changing, path, { body: { ...reference, notes } });
  expect(await anew.send()).toMatchObject({ status: 400, body: { code: 'request_failed_validation' } });
  const other = marked(changing, path, { body: { ...reference, notes: [...notes, ...notes] }, key: call.key });
  expect(await other.send()).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});
