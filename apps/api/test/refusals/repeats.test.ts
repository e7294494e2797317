import { afterAll, beforeAll, expect, test } from 'vitest';
import { marked } from '../idempotency/marked-calls.ts';
import { restCalls } from '../support/rest-calls.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { accepted, PROCESS, refused, remembered, TRANSACTIONS } from './refused-calls.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const rowsOf = (number: string) => remembered(service, number);

test('4.15.11 a refusal that is repeated from a kept answer is not counted again', async () => {
  const number = await supplier.stage();
  const body = { ...supplier.processRequest(number), operations_team_name: 'Nobody' };
  const call = marked(supplier, PROCESS, { body });
  for (const _ of [1, 2, 3]) expect((await call.send()).body.code).toBe('operations_team_name_does_not_exist');
  expect(await rowsOf(number)).toMatchObject([{ operation: 'process', times: 1, open: true }]);
  await marked(supplier, PROCESS, { body }).send();
  expect(await rowsOf(number)).toMatchObject([{ operation: 'process', times: 2, open: true }]);
});

test('4.15.11 a refusal that is not kept is counted each time', async () => {
  const account = await supplier.importAccount();
  const call = marked(supplier, TRANSACTIONS, { body: refused(account) });
  await call.send();
  await call.send();
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ operation: 'transactions', times: 2 }]);
});

test('4.15.11 a success with a key resolves, and its repeat resolves nothing that was refused since', async () => {
  const account = await supplier.importAccount();
  await supplier.post(TRANSACTIONS, refused(account));
  const call = marked(supplier, TRANSACTIONS, { body: accepted(account) });
  expect((await call.send()).status).toBe(201);
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: false }]);
  await supplier.post(TRANSACTIONS, refused(account));
  expect((await call.send()).status).toBe(201);
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: true }]);
});

test('4.15.4 the calls of a batch come one after the other: the later one decides', async () => {
  const fixed = await supplier.importAccount();
  const broken = await supplier.importAccount();
  const { importTransactions } = trpcClient(service.url, supplier.token).dataImport;
  const call = (body: unknown) => importTransactions.mutate(body as never).catch(() => undefined);
  await Promise.all([refused(fixed), accepted(fixed), accepted(broken), refused(broken)].map(call));
  expect(await rowsOf(fixed.externalAccountNumber)).toMatchObject([{ open: false }]);
  expect(await rowsOf(broken.externalAccountNumber)).toMatchObject([{ open: true }]);
});

test('4.15.4 a success on one instance resolves what another has refused before it is answered, even if it writes nothing', async () => {
  const other = restCalls((await service.startInstance()).url, supplier.token);
  const account = await supplier.importAccount();
  const body = accepted(account);
  for (const _ of ['added', 'already there']) {
    await supplier.post(TRANSACTIONS, refused(account));
    expect((await other.post(TRANSACTIONS, body)).status).toBe(201);
    expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: false }]);
  }
  const { external_account_number, ...valid } = supplier.account();
  await supplier.post('validate-account/', { ...valid, external_account_number, customers: [] });
  expect((await other.post('validate-account/', { ...valid, external_account_number })).status).toBe(200);
  expect(await rowsOf(external_account_number)).toMatchObject([{ open: false }]);
});

test('4.15.4 of concurrent refusals and successes each is counted, and the last one decides', async () => {
  const account = await supplier.importAccount();
  const bodies = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? refused(account) : accepted(account)));
  await Promise.all(bodies.map((body) => supplier.post(TRANSACTIONS, body)));
  await supplier.post(TRANSACTIONS, accepted(account));
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ operation: 'transactions', open: false }]);
  await supplier.post(TRANSACTIONS, refused(account));
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: true, times: 1 }]);
});
