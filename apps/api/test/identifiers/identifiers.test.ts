import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusal } from '../staff/refusal.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const IMPORT = 'account-import-process/create-or-update/';
const VARIANTS = ['NW-1 ', ' NW-1', 'NW\u200b-1', 'N\u00adW-1', 'ＮＷ-1', 'NW-1\u202c'];
const statusOf = (number: string) =>
  supplier.get(`account-transfer-status/${supplier.code}/${encodeURIComponent(number)}/`);

test('4.2 an account number that only looks different is no account of its own, and is told so', async () => {
  await supplier.stage({ external_account_number: 'NW-1' });
  for (const external_account_number of VARIANTS) {
    const { status, body } = await supplier.post(IMPORT, supplier.account({ external_account_number }));
    expect([status, body.code]).toEqual([400, 'account_failed_validation']);
    expect(body.errors.map(({ attr }: { attr: string }) => attr)).toEqual(['external_account_number']);
    expect(JSON.stringify(body)).not.toContain(external_account_number);
  }
  expect(await service.database.prisma.accountImport.count({ where: { import_supplier_code: supplier.code } })).toBe(1);
});

test.each(['.', '..'])('2.1.5 an account number is not %s', async (number) => {
  const { status, body } = await supplier.post(IMPORT, supplier.account({ external_account_number: number }));
  expect([status, body.errors]).toMatchObject([400, [{ code: 'invalid', attr: 'external_account_number' }]]);
});

test('2.1.2 the code of an import supplier may have spaces inside, in bodies and in paths', async () => {
  const spaced = await service.createSupplier({ code: 'HARBOUR VALE 2026' });
  const { externalAccountNumber } = await spaced.importAccount();
  const status = await spaced.get(`account-transfer-status/HARBOUR%20VALE%202026/${externalAccountNumber}/`);
  expect([status.status, status.body.status]).toEqual([200, 'COMPLETED']);
  const listed = await spaced.get('imported-account-import-processes/HARBOUR%20VALE%202026/?limit=1');
  expect(listed.body).toMatchObject([{ external_account_number: externalAccountNumber }]);
  expect((await spaced.get('all-account-import-processes/HARBOUR%20VALE/')).status).toBe(404);
  for (const import_supplier of [' HARBOUR', 'HARBOUR ', 'HARBOUR  VALE', 'HARBOUR\tVALE']) {
    const { body } = await spaced.post(IMPORT, spaced.account({ import_supplier }));
    expect(body.errors).toMatchObject([{ code: 'invalid', attr: 'import_supplier' }]);
  }
});

test('4.8 looked up in a path or over tRPC it is as unknown as any other number', async () => {
  const unknown = await statusOf('NEVER-STAGED');
  for (const number of [...VARIANTS, 'NW-1\u0007', '\u202e1-WN']) {
    const { status, body } = await statusOf(number);
    // A control character makes it no path at all.
    expect([number, status, body.code]).toEqual([
      number,
      404,
      /\p{Cc}/u.test(number) ? 'not_found' : unknown.body.code,
    ]);
    const one = { code: supplier.code, external_account_number: number };
    expect(await refusal(service.staff.accountImports.get.query(one))).toMatchObject({ code: 'account_not_found' });
    const list = { import_supplier_code: `${supplier.code}${number}` };
    expect(await refusal(supplier.trpc.dataImport.listAccountImports.query(list))).toMatchObject({
      code: 'import_supplier_does_not_exist',
    });
  }
});

test('2.1 the names of teams and organisations are identifiers too', async () => {
  const { staff } = service;
  for (const name of ['Support ', 'Sup\u200bport', 'Ｓupport', 'Sup\nport']) {
    for (const call of [staff.operationsTeams.create.mutate({ name }), staff.organisations.create.mutate({ name })]) {
      expect(await refusal(call)).toMatchObject({ status: 400, code: 'request_failed_validation', attrs: ['name'] });
    }
  }
});
