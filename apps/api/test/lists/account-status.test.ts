import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const statusOf = (number: string, code = supplier.code) =>
  supplier.get(`account-transfer-status/${encodeURIComponent(code)}/${encodeURIComponent(number)}/`);

test('4.8 answers 200 with an empty service_account_number until the account is created, then with its number', async () => {
  const number = await supplier.stage();
  const before = await statusOf(number);
  expect([before.status, before.body]).toEqual([200, { status: 'UNKNOWN', service_account_number: '' }]);
  const { body } = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  const after = await statusOf(number);
  const { service_account_number } = body;
  expect([after.status, after.body]).toEqual([200, { status: 'COMPLETED', service_account_number }]);
});

test.each(['E/1 ü', '100%', 'a+b', '../x', '?', '#', '日本 🙂'])(
  '4.8 finds the account by its percent-encoded number: %s',
  async (external_account_number) => {
    await supplier.stage({ external_account_number });
    const { body } = await statusOf(external_account_number);
    expect(body).toEqual({ status: 'UNKNOWN', service_account_number: '' });
  },
);

test('4.8 answers 404 account_not_found where nothing was ever staged', async () => {
  await supplier.stage({ external_account_number: 'Here' });
  for (const number of ['ABSENT', 'here', 'Here ', 'x'.repeat(129)]) {
    const { status, body } = await statusOf(number);
    expect([number, status, body.code]).toEqual([number, 404, 'account_not_found']);
  }
});

test('4.8 answers HEAD, and names a query parameter as undocumented', async () => {
  const number = await supplier.stage();
  const target = `account-transfer-status/${supplier.code}/${number}/?limit=1`;
  const headers = { Authorization: `Token ${supplier.token}` };
  const head = await fetch(`${service.url}/v1/data-import/${target}`, { method: 'HEAD', headers });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await supplier.get(target)).headers.get('Undocumented-Fields')).toBe('limit');
});
