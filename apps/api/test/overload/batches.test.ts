import { LIMITS } from '@causeway/contracts';
import { accountImportId } from '@causeway/domain';
import { beforeAll, expect, test } from 'vitest';
import { createBatch } from '../../src/trpc/batches.ts';
import { holdAccounts, holdAccountsIn } from '../account-imports/held-accounts.ts';
import { serviceOfFile, type TestSupplier, until } from '../support/test-service.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();
beforeAll(() => holdAccountsIn(service.database));

interface Answer {
  result?: { data: unknown };
  error?: { data: { httpStatus: number; error: { code: string; detail: string } } };
}

/** Sends calls as one batch, as tRPC's own clients do. */
async function batch(
  procedures: string[],
  inputs: unknown[],
  { method = 'GET', url = service.url, token = supplier.token } = {},
) {
  const input = JSON.stringify({ ...inputs });
  const query = method === 'GET' ? `&input=${encodeURIComponent(input)}` : '';
  const response = await fetch(`${url}/trpc/${procedures.join(',')}?batch=1${query}`, {
    method,
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
    ...(method === 'POST' && { body: input }),
  });
  const text = await response.text();
  return { status: response.status, bytes: text.length, answers: JSON.parse(text) as Answer[] };
}

test('10.5.6 a streamed batch answers each call as an ordinary one does, and names no undocumented fields', async () => {
  const account = supplier.account({ unknown_field: 1 });
  const send = (headers: Record<string, string>) =>
    fetch(`${service.url}/trpc/dataImport.validateAccount,dataImport.validateAccount?batch=1`, {
      method: 'POST',
      headers: { Authorization: `Token ${supplier.token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ ...[account, account] }),
    });
  const [ordinary, streamed] = [await send({}), await send({ 'trpc-accept': 'application/jsonl' })];
  expect(ordinary.headers.get('undocumented-fields')).toBe('unknown_field');
  expect(streamed.headers.get('undocumented-fields')).toBeNull();
  const answers = (await ordinary.json()) as Answer[];
  const text = await streamed.text();
  for (const { result } of answers) expect(text).toContain(JSON.stringify(result?.data));
});

const codesOf = (answers: Answer[]) => answers.map(({ error }) => error?.data.error.code);

/** Staged accounts with numbers that take four times as much in JSON in JSON. */
async function insertAccounts({ code }: TestSupplier, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => `${'"\\'.repeat(60)}${index}`);
  await service.database.pool.query(
    `INSERT INTO account_imports
      (id, import_supplier_code, external_account_number, state, staging_order, payload, staged_at, updated_at)
    SELECT id, $1, number, 'STAGED', nextval('account_imports_staging_order_seq'), '{}', now(), now()
    FROM unnest($2::uuid[], $3::text[]) AS input (id, number)`,
    [code, numbers.map((number) => accountImportId(code, number)), numbers],
  );
}

test('10.5 a batch has ten calls at most, and one with more is refused before its body is read', async () => {
  const status = (index: number) => ({ import_supplier_code: supplier.code, external_account_number: `A-${index}` });
  const most = Array.from({ length: LIMITS.batch }, (_, index) => status(index));
  const whole = await batch(Array(LIMITS.batch).fill('dataImport.accountStatus'), most);
  expect(whole.answers).toHaveLength(10);
  for (const method of ['GET', 'POST']) {
    const more = [...most, status(LIMITS.batch)];
    const { status: refused, answers } = await batch(Array(11).fill('dataImport.accountStatus'), more, { method });
    expect(refused).toBe(413);
    expect(answers).toMatchObject({ error: { data: { error: { code: 'payload_too_large' } } } });
  }
});

test('10.5 the calls of a batch run one after the other, and each is answered for itself', async () => {
  const staged = [supplier.account(), supplier.account({ customers: [] }), supplier.account()];
  const { status, answers } = await batch(Array(3).fill('dataImport.stageAccount'), staged, { method: 'POST' });
  expect(status).toBe(207);
  expect(codesOf(answers)).toEqual([undefined, 'account_failed_validation', undefined]);
  const stored = await service.database.prisma.accountImport.findMany({
    where: { import_supplier_code: supplier.code },
    orderBy: { staging_order: 'asc' },
  });
  expect(stored.map((row) => row.external_account_number)).toEqual([
    staged[0]?.external_account_number,
    staged[2]?.external_account_number,
  ]);
});

test('10.5 a batch whose answers are too large together is answered up to there, and the rest is refused', async () => {
  const own = await service.createSupplier({ of: supplier });
  await insertAccounts(own, 10_000);
  const list = { import_supplier_code: own.code, limit: 10_000 };
  const { answers, bytes } = await batch(Array(10).fill('dataImport.listAccountImports'), Array(10).fill(list));
  const answered = answers.filter(({ result }) => result !== undefined).length;
  expect(answered).toBeGreaterThan(1);
  expect(answered).toBeLessThan(10);
  expect(codesOf(answers)).toEqual([
    ...Array(answered).fill(undefined),
    ...Array(10 - answered).fill('payload_too_large'),
  ]);
  expect(bytes).toBeLessThan(20_000_000);
});

test('10.5 a batch counts as work call by call: it never takes more than one place', async () => {
  const { url } = await service.startInstance({ MAX_REQUESTS_AT_WORK: '1' });
  const status = { import_supplier_code: supplier.code, external_account_number: 'NONE' };
  const { answers } = await batch(Array(10).fill('dataImport.accountStatus'), Array(10).fill(status), { url });
  expect(codesOf(answers)).toEqual(Array(10).fill('account_not_found'));
});

test('10.5 a batch whose client has left is not gone on with', async () => {
  const { url } = await service.startInstance();
  using hold = await holdAccounts(service.database);
  const held = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
  const next = supplier.account();
  const inputs = [supplier.processRequest(held), next];
  const body = JSON.stringify({ ...inputs });
  const leaving = new AbortController();
  const answer = fetch(`${url}/trpc/dataImport.processAccount,dataImport.stageAccount?batch=1`, {
    method: 'POST',
    headers: { Authorization: `Token ${supplier.token}`, 'Content-Type': 'application/json' },
    body,
    signal: leaving.signal,
  });
  await hold.waitFor(1);
  leaving.abort();
  await expect(answer).rejects.toThrow('aborted');
  const metric = async (text: string) => (await (await fetch(`${url}/metrics`)).text()).includes(text);
  await until(() => metric('causeway_requests_total{operation="batch",status="499"} 1'));
  await hold.release();
  await until(() => metric('causeway_requests_at_work 0'));
  const numberOf = (state: string, external_account_number: string) =>
    service.database.prisma.accountImport.count({ where: { external_account_number, state: state as 'STAGED' } });
  expect(await numberOf('COMPLETED', held)).toBe(1);
  expect(await numberOf('STAGED', next.external_account_number)).toBe(0);
});

test('10.5 calls that a batch has not begun after ten seconds are refused, and those before are answered', async () => {
  let time = 0;
  const inBatch = createBatch(
    () => Promise.resolve(),
    () => time,
  );
  const call = (milliseconds: number) =>
    inBatch(async () => {
      time += milliseconds;
      return { status: 200, headers: {}, body: time };
    });
  const answers = await Promise.allSettled([call(9_000), call(9_000), call(1)]);
  expect(answers).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    {
      status: 'rejected',
      reason: { code: 'service_unavailable', message: expect.stringContaining('not processed') },
    },
  ]);
});
