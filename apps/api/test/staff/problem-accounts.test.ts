import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

let service: TestService;
let accountImports: TestService['staff']['accountImports'];

beforeAll(async () => {
  service = await startTestService();
  accountImports = service.staff.accountImports;
});
afterAll(() => service.stop());

test('14.6.8 lists the accounts that have a problem now, in pages, also those that were never staged', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const stage = (external_account_number: string, fields = {}) =>
    supplier.post('account-import-process/create-or-update/', supplier.account({ external_account_number, ...fields }));
  const faulty = { account_type: 'NO_SUCH_TYPE' };
  await stage('P-1');
  for (const number of ['P-1', 'P-2', 'P-2', 'P-3', 'P-4']) await stage(number, faulty);
  await stage('P-3');
  const { serviceAccountNumber } = await supplier.importAccount({ external_account_number: 'P-5' });
  await stage('P-5', faulty);
  const problems = await supplier.trpc.dataImport.listProblems.query({ import_supplier_code: code });
  const { operation, refused, code: problemCode, attr, accounts } = problems[0] ?? expect.fail('There is a problem.');
  const asked = { code, problem: { operation, refused, code: problemCode, attr } };

  const listed = await accountImports.listByProblem.query(asked);
  expect(listed).toHaveLength(accounts);
  const byNumber = Object.fromEntries(
    listed.map(({ external_account_number, ...one }) => [external_account_number, one]),
  );
  expect(byNumber).toMatchObject({
    'P-1': { state: 'STAGED', times: 1, service_account_number: null },
    'P-2': { state: null, times: 2, service_account_number: null },
    'P-4': { state: null, times: 1 },
  });
  const requestId = byNumber['P-2']?.request_id ?? '';
  expect(await accountImports.find.query({ text: requestId })).toMatchObject({
    matches: [{ external_account_number: 'P-2' }],
  });
  const numbers = listed.map(({ external_account_number }) => external_account_number);
  expect(numbers).not.toContain('P-3');
  expect(serviceAccountNumber).toMatch(/^A-/);
  const pages: string[] = [];
  for (let after: string | undefined; pages.length < numbers.length; after = pages.at(-1)) {
    const page = await accountImports.listByProblem.query({ ...asked, limit: 1, ...(after && { after }) });
    pages.push(...page.map(({ external_account_number }) => external_account_number));
  }
  expect(pages).toEqual(numbers);
  const [last] = numbers.slice(-1);
  expect(await accountImports.listByProblem.query({ ...asked, after: String(last) })).toEqual([]);
  const other = { ...asked, problem: { ...asked.problem, attr: 'other' } };
  expect(await accountImports.listByProblem.query(other)).toEqual([]);
  const elsewhere = { ...asked, code: (await service.createSupplier()).code };
  expect(await accountImports.listByProblem.query(elsewhere)).toEqual([]);
  expect(await refusal(accountImports.listByProblem.query({ ...asked, code: 'NONE' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
  });
});

test('14.7.4 lists what the service team did, newest first, by whom and to what', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const external_account_number = await supplier.stage();
  const { id } = await service.staff.apiKeys.issueStaff.mutate({ label: 'console', person: 'Priya Raman' });
  await accountImports.skip.mutate({ code, external_account_number, reason: 'Left' });
  await service.staff.importSuppliers.update.mutate({ code, name: 'Renamed' });
  const { listOfStaff } = service.staff.audit;
  const events = await listOfStaff.query({ limit: 3 });
  expect(events).toMatchObject([
    { action: 'updated', subject: 'import_supplier', code, external_account_number: null, actor: 'staff' },
    { action: 'skipped', subject: 'account_import', code, external_account_number, detail: { reason: 'Left' } },
    { action: 'issued', subject: 'api_key', subject_id: id, code: null, external_account_number: null },
  ]);
  const all = await listOfStaff.query();
  expect(all.slice(0, 3)).toEqual(events);
  expect(all.every(({ actor }) => actor === 'staff')).toBe(true);
  expect(await listOfStaff.query({ before: String(events[2]?.id) })).toEqual(all.slice(3));
  expect(await listOfStaff.query({ api_key_id: id })).toEqual([]);
  expect(await listOfStaff.query({ api_key_id: String(events[0]?.api_key_id), limit: 3 })).toEqual(events);
});
