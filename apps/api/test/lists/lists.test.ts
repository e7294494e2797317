import { describe, expect, test } from 'vitest';
import { followPages } from '../support/follow-pages.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { THREE_LISTS } from './three-lists.ts';

const NOW = '2026-04-20T11:30:00Z';
const [ALL, PENDING, IMPORTED] = THREE_LISTS.map(({ path }) => path) as [string, string, string];

const pending = (external_account_number: string) => ({
  external_account_number,
  service_account_number: null,
  account_created_at: null,
});
const created = (external_account_number: string, service_account_number: string) => ({
  external_account_number,
  service_account_number,
  account_created_at: NOW,
});

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00.900Z');
/** Has one account in each state and two more staged, in this order. */
const supplier = await service.createSupplier();
const { staff } = service;
const { code } = supplier;
await supplier.stage({ external_account_number: 'z staged' });
const completed = await supplier.importAccount({ external_account_number: 'COMPLETED' });
await supplier.stage({ external_account_number: 'FAILED' });
const failing = { ...supplier.processRequest('FAILED'), operations_team_name: 'No such team' };
await supplier.post('account-import-process/process/', failing);
await supplier.stage({ external_account_number: 'SKIPPED' });
await staff.accountImports.skip.mutate({ code, external_account_number: 'SKIPPED', reason: 'Left' });
await supplier.stage({ external_account_number: 'a/staged ü%2F' });

async function numbersIn(path: string, query = '', from = supplier): Promise<string[]> {
  const { status, body } = await from.get(`${path}/${from.code}/${query}`);
  expect(status).toBe(200);
  return body.map((record: { external_account_number: string }) => record.external_account_number);
}

test('1.3 4.9 lists pending and created accounts, oldest staged first, skipped ones too', async () => {
  const { status, body } = await supplier.get(`${ALL}/${supplier.code}/`);
  expect(status).toBe(200);
  expect(body).toEqual([
    pending('z staged'),
    created('COMPLETED', completed.serviceAccountNumber),
    pending('FAILED'),
    pending('SKIPPED'),
    pending('a/staged ü%2F'),
  ]);
});

test('4.10 lists those that still can be processed: staged and failed, with service_account_number and account_created_at null', async () => {
  const { body } = await supplier.get(`${PENDING}/${supplier.code}/`);
  expect(body).toEqual([pending('z staged'), pending('FAILED'), pending('a/staged ü%2F')]);
});

test('2.8 4.11 lists the accounts that have a platform account, with account_created_at in whole seconds', async () => {
  const { body } = await supplier.get(`${IMPORTED}/${supplier.code}/`);
  expect(body).toEqual([created('COMPLETED', completed.serviceAccountNumber)]);
});

test('4.9 keeps the order of the first staging when an account is staged again', async () => {
  const own = await service.createSupplier();
  const order = ['C', 'A', 'B'];
  for (const external_account_number of [...order, 'A', 'C']) {
    await own.post('account-import-process/create-or-update/', own.account({ external_account_number }));
  }
  expect(await numbersIn(ALL, '', own)).toEqual(order);
});

test('4.10 shows an account again when it is no longer skipped, and no longer when it is created', async () => {
  const own = await service.createSupplier();
  const account = { code: own.code, external_account_number: await own.stage() };
  await service.staff.accountImports.skip.mutate({ ...account, reason: 'Wait' });
  expect(await numbersIn(PENDING, '', own)).toEqual([]);
  await service.staff.accountImports.unskip.mutate(account);
  expect(await numbersIn(PENDING, '', own)).toEqual([account.external_account_number]);
  await own.post('account-import-process/process/', own.processRequest(account.external_account_number));
  expect(await numbersIn(PENDING, '', own)).toEqual([]);
  expect(await numbersIn(IMPORTED, '', own)).toEqual([account.external_account_number]);
});

describe.each(THREE_LISTS)('$procedure', ({ path }) => {
  test('4.9 4.10 4.11 a list of nothing is an empty array', async () => {
    const empty = await service.createSupplier();
    const { status, body } = await empty.get(`${path}/${empty.code}/`);
    expect([status, body]).toEqual([200, []]);
    const page = await empty.get(`${path}/${empty.code}/?limit=1`);
    expect([page.status, page.body, page.headers.get('Link')]).toEqual([200, [], null]);
  });

  test('4.12 limit and after walk through the list along its Link headers, to the end', async () => {
    const whole = await numbersIn(path);
    const pages = await followPages(supplier, `${path}/${supplier.code}/?limit=2`);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(2);
    expect(pages.flat().map((record) => record.external_account_number)).toEqual(whole);
  });

  test('4.12 the page after any account of the supplier begins behind it', async () => {
    const whole = await numbersIn(ALL);
    const shown = await numbersIn(path);
    for (const [index, last] of whole.entries()) {
      const after = `?after=${encodeURIComponent(last)}`;
      const behind = whole.slice(index + 1).filter((number) => shown.includes(number));
      expect(await numbersIn(path, after)).toEqual(behind);
      expect(await numbersIn(path, `${after}&limit=1`)).toEqual(behind.slice(0, 1));
    }
  });

  test('4.12 an account that was never staged is no place to resume from: 400, naming after', async () => {
    const foreign = await service.createSupplier();
    const theirs = await foreign.stage();
    for (const after of ['ABSENT', 'completed', theirs, '']) {
      for (const query of [`?after=${after}`, `?after=${after}&limit=2`]) {
        const { status, body } = await supplier.get(`${path}/${supplier.code}/${query}`);
        expect([query, status, body.code]).toEqual([query, 400, 'request_failed_validation']);
        expect(body.errors).toMatchObject([{ attr: 'after', code: 'invalid' }]);
      }
    }
  });

  test('4.12 4.12.2 another limit than a whole number from 1 to 10,000 is 400', async () => {
    const codes = { '0': 'min_value', '-1': 'min_value', '10001': 'max_value' };
    const others = ['1.5', '5.0', '1000.000000000000001', '', '1e3'];
    const wrong = [...Object.entries(codes), ...others.map((limit) => [limit, 'invalid'])];
    for (const [limit, code] of wrong) {
      const { status, body } = await supplier.get(`${path}/${supplier.code}/?limit=${limit}`);
      expect([limit, status, body.errors]).toMatchObject([limit, 400, [{ attr: 'limit', code }]]);
    }
  });
});
