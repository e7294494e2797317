import { accountImportId } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sameOverTrpc } from '../support/parity.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

let service: TestService;
let plain: TestSupplier;
let rural: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  plain = await service.createSupplier();
  rural = await service.createSupplier({ of: plain, account_types: ['FARM', 'HOUSEBOAT'] });
});
afterAll(() => service.stop());

const codesOf = (body: { errors: { attr: string; code: string }[] }) =>
  body.errors.map(({ attr, code }) => `${attr}: ${code}`);

test('2.9.5 an account type that a supplier adds is accepted of that supplier only, and stored', async () => {
  const input = rural.account({ account_type: 'FARM' });
  const accepted = await sameOverTrpc(rural, 'validateAccount', { input });
  expect([accepted.status, accepted.body.account_type]).toEqual([200, 'FARM']);
  const refused = await sameOverTrpc(plain, 'validateAccount', { input: plain.account({ account_type: 'FARM' }) });
  expect([refused.status, ...codesOf(refused.body)]).toEqual([400, 'account_type: invalid_choice']);

  const number = await rural.stage({ account_type: 'FARM' });
  const processed = await rural.post('account-import-process/process/', rural.processRequest(number));
  expect(processed.status).toBe(201);
  const where = { account_import_id: accountImportId(rural.code, number) };
  expect(await service.database.prisma.account.findUnique({ where })).toMatchObject({ account_type: 'FARM' });
});

test('2.9.5 the published types stay accepted, and others are refused by name', async () => {
  expect((await rural.post('validate-account/', rural.account({ account_type: 'BUSINESS' }))).status).toBe(200);
  for (const account_type of ['CASTLE', 'farm', 'FARM ']) {
    const { status, body } = await rural.post('validate-account/', rural.account({ account_type }));
    expect([status, codesOf(body)[0]]).toEqual([400, expect.stringMatching(/^account_type: /)]);
  }
});

test('2.9.5 a type that is taken away is refused from the next call on', async () => {
  const supplier = await service.createSupplier({ of: plain, account_types: ['FARM'] });
  const statusNow = async () =>
    (await supplier.post('validate-account/', supplier.account({ account_type: 'FARM' }))).status;
  expect(await statusNow()).toBe(200);
  await service.staff.importSuppliers.update.mutate({ code: supplier.code, account_types: [] });
  expect(await statusNow()).toBe(400);
});
