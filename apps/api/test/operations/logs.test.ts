import { randomUUID } from 'node:crypto';
import { startServiceProcess } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import {
  createTestSupplier,
  obtainToken,
  type RestCalls,
  startTestService,
  type TestSupplier,
  trpcClient,
} from '../support/test-service.ts';
import { openSocket, requestHead } from './raw-sockets.ts';

/** Stands in every text that the service is sent and that no log may hold. */
const CANARY = 'Canary';
const TELLTALE = /canary|7700\D?900123|11\D?3496\D?0123/i;

const account = {
  billing_name: CANARY,
  billing_email: 'canary@example.com',
  references: [{ namespace: CANARY, value: CANARY }],
  metadata: [{ key: CANARY, value: CANARY }],
  customers: [
    {
      given_name: CANARY,
      family_name: CANARY,
      email: 'canary@example.com',
      mobile: '07700 900123',
      landline: '0113 496 0123',
      date_of_birth: '1980-02-03',
      Canary: CANARY,
    },
  ],
};
const charge = { transaction_id: CANARY, transaction_date: '2026-01-01', amount: 1, type: 'CHARGE', reason: 'CANARY' };

const staffApiKey = `${CANARY}-${randomUUID()}`;

const service = await startTestService();
const vendors = [
  'SANDBOX',
  { name: 'ACME', kind: 'http', base_url: 'http://127.0.0.1:1/Canary', secret: 'CanarySecret' },
];
const child = await startServiceProcess({
  DATABASE_URL: service.databaseUrl,
  LOG_LEVEL: 'trace',
  STAFF_API_KEY: staffApiKey,
  PAYMENT_VENDORS: JSON.stringify(vendors),
});
const made = await service.createSupplier({ name: CANARY });
const token = await obtainToken(child.url, made.apiKey);
const supplier = createTestSupplier({ ...made, url: child.url, token });
afterAll(async () => {
  await child.kill();
  await service.stop();
});

const statusesOf = async (...answers: ReturnType<RestCalls['post']>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

/** The lines of the log that belong to one request; the log is complete when the process has ended. */
function linesOf(requestId: string) {
  return child.logLines
    .map((line) => JSON.parse(line))
    .filter(({ request_id, caller_request_id }) => (caller_request_id ?? request_id) === requestId);
}

async function callEveryEndpoint(calls: TestSupplier) {
  const key = () => ({ 'Idempotency-Key': `Canary-${randomUUID()}` });
  const { post, get } = calls;
  const body = calls.account(account);
  const number = body.external_account_number;
  const reference = { import_supplier: calls.code, external_account_number: number };
  const process = { ...calls.processRequest(number), Canary: CANARY };
  const instruction = { ...reference, vendor: 'SANDBOX', reference: 'pm_ok_Canary', type: 'CARD' };
  const payment = 'payment-instruction/create/';

  expect(await statusesOf(post('validate-account/', body))).toEqual([200]);
  expect(await statusesOf(post(STAGE, body, key()))).toEqual([201]);
  expect(await statusesOf(post(PROCESS, { ...process, dry_run: true }, key()))).toEqual([400]);
  expect(await statusesOf(post(PROCESS, { ...process, operations_team_name: 'Canary Nobody' }))).toEqual([400]);
  expect(await statusesOf(post(PROCESS, process, key()), post(PROCESS, { ...process, dry_run: CANARY }))).toEqual([
    201, 400,
  ]);
  const notes = { ...reference, notes: [{ body: CANARY, document_paths: [{ document_path: 'Canary/1.pdf' }] }] };
  expect(await statusesOf(post('notes/create/', notes), post('notes/create/?Canary=Canary', notes))).toEqual([
    201, 201,
  ]);
  const transactions = { ...reference, transactions: [charge, { ...charge, type: CANARY }] };
  expect(await statusesOf(post('transactions/create/', transactions))).toEqual([400]);
  expect(await statusesOf(post('transactions/create/', { ...reference, transactions: [charge] }))).toEqual([201]);
  const billed = (gross_amount: number) => statement(CANARY, { gross_amount, statement_path: 'Canary/1.pdf' });
  const statements = { ...reference, statements: [billed(1)] };
  expect(await statusesOf(post('historical-statements/create/', statements))).toEqual([201]);
  const changed = { ...reference, statements: [billed(2)] };
  expect(await statusesOf(post('historical-statements/create/', changed))).toEqual([400]);
  for (const [vendor, own, status] of [
    ['ACME', 'Canary', 500],
    ['SANDBOX', 'pm_500_Canary', 500],
    ['SANDBOX', 'pm_missing_Canary', 400],
    ['CANARY', 'Canary', 400],
    ['SANDBOX', 'pm_ok_Canary', 201],
  ] as const) {
    expect(await statusesOf(post(payment, { ...instruction, vendor, reference: own }))).toEqual([status]);
  }
  expect(await statusesOf(get(`account-transfer-status/${calls.code}/${number}/?Canary=Canary`))).toEqual([200]);
  for (const list of ['all', 'pending']) {
    expect(await statusesOf(get(`${list}-account-import-processes/${calls.code}/?Canary=Canary`))).toEqual([200]);
  }
  expect(await statusesOf(get(`imported-account-import-processes/${calls.code}/?limit=Canary`))).toEqual([400]);
}

async function callWhatDoesNotWork({ post, get, code, token }: TestSupplier) {
  const bad = { Authorization: `Token Canary${token}` };
  expect(await statusesOf(post(STAGE, account, bad), get(`Canary/${code}/`), get('canary@example.com'))).toEqual([
    401, 404, 404,
  ]);
  expect(await statusesOf(post(STAGE, `{"Canary": Canary`), post(STAGE, '{"a":"Canary","a":1}'))).toEqual([400, 400]);
  expect(await statusesOf(post(STAGE, CANARY, { 'Content-Type': 'text/Canary' }))).toEqual([415]);
  expect(await statusesOf(post(STAGE, {}, { 'Idempotency-Key': 'Canary Canary' }))).toEqual([400]);
  expect(await statusesOf(post(STAGE, {}, { 'X-Request-Id': 'canary@example.com', 'User-Agent': CANARY }))).toEqual([
    400,
  ]);
  await fetch(`${child.url}/Canary/07700900123?Canary=Canary`, { headers: { Cookie: CANARY } });
  await fetch(`${child.url}/trpc/Canary.Canary?input=Canary`, { headers: { Authorization: `Bearer ${token}` } });
  await fetch(`${child.url}/trpc/organisations.list,Canary?batch=1`, { headers: { Authorization: token } });
  const socket = await openSocket(child.url);
  socket.write(requestHead('GET /Canary Canary', { Canary: CANARY }));
  await socket.closed();
}

async function callForTokens() {
  const graphql = (query: string) =>
    fetch(`${child.url}/v1/graphql/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': CANARY },
      body: JSON.stringify({ query, variables: { Canary: CANARY } }),
    });
  const input = (fields: string) =>
    graphql(`mutation { obtainToken(input: { ${fields} }) { token payload refreshToken } }`);
  for (const fields of [`APIKey: "${CANARY.repeat(8)}"`, `refreshToken: "${CANARY}"`, 'Canary: 1']) {
    expect(JSON.stringify(await (await input(fields)).json())).toContain('errors');
  }
  expect((await graphql('Canary')).status).toBe(400);
  const obtained = JSON.stringify(await (await input(`APIKey: "${supplier.apiKey}"`)).json());
  return [...obtained.matchAll(/"(?:token|refreshToken)":"([^"]+)"/g)].map(([, secret]) => String(secret));
}

async function callAsStaff(): Promise<string[]> {
  const token = await obtainToken(child.url, staffApiKey);
  const staff = trpcClient(child.url, token);
  const { id } = await staff.organisations.create.mutate({ name: `${CANARY} Ltd` });
  await expect(staff.organisations.create.mutate({ name: `${CANARY} Ltd` })).rejects.toThrow();
  const { api_key } = await staff.apiKeys.issue.mutate({ organisation_id: id, label: CANARY });
  await staff.operationsTeams.create.mutate({ name: CANARY });
  await staff.accountImports.list.query({ code: supplier.code, search: CANARY });
  await expect(supplier.trpc.organisations.list.query({})).rejects.toThrow();
  return [token, api_key];
}

test('16.8 logs no payload, name, e-mail, phone, key or token, whatever is called and whatever goes wrong', async () => {
  const secrets = [supplier.apiKey, supplier.token, staffApiKey, ...(await callForTokens()), ...(await callAsStaff())];
  await callEveryEndpoint(supplier);
  await callWhatDoesNotWork(supplier);

  // A failure of ours: a table is gone.
  const { reference } = await supplier.importAccount(account);
  await service.database.pool.query('ALTER TABLE notes RENAME TO lost_notes');
  const failed = await supplier.post(
    'notes/create/',
    { ...reference, notes: [{ body: CANARY }] },
    { 'X-Request-Id': 'failed-1' },
  );
  expect(failed).toMatchObject({ status: 500, body: { code: 'internal_error', errors: [] } });
  expect(failed.headers.get('x-request-id')).toBe('failed-1');
  expect(JSON.stringify(failed.body)).not.toMatch(/notes|relation|42P01|canary/i);
  const overTrpc = supplier.trpc.dataImport.importNotes.mutate({ ...reference, notes: [{ body: CANARY }] });
  await expect(overTrpc).rejects.toThrow('Something went wrong on our side');
  const metrics = await (await fetch(`${child.url}/metrics`)).text();

  expect(await child.terminate()).toBe(0);
  expect(linesOf('failed-1')).toMatchObject([
    { level: 'error', msg: 'internal_error', error: { code: '42P01', stack: expect.any(Array) } },
    { level: 'error', msg: 'request', status: 500, procedure: 'dataImport.importNotes', actor: 'supplier' },
  ]);
  const warned = child.logLines.filter((line) => line.includes('TRUSTED_PROXIES is'));
  expect(warned.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn' }]);
  expect(child.logLines.length).toBeGreaterThan(40);
  for (const text of [...child.logLines, ...child.errorLines, metrics]) {
    expect(text).not.toMatch(TELLTALE);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});
