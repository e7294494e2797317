import { derivedId } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { refusal } from './refusal.ts';

const NOW = '2026-04-20T11:30:00Z';
let service: TestService;
let suppliers: TestService['staff']['importSuppliers'];
let organisation_id: string;

beforeAll(async () => {
  service = await startTestService();
  service.setTime(NOW);
  suppliers = service.staff.importSuppliers;
  ({ id: organisation_id } = await service.staff.organisations.create.mutate({ name: 'Northwind' }));
});
afterAll(() => service.stop());

const create = (code: string, settings: object = {}) =>
  suppliers.create.mutate({ code, name: `Supplier ${code}`, organisation_id, ...settings });

const actionsOf = async (code: string) => {
  const where = { subject_id: derivedId('import_supplier', code) };
  const events = await service.database.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ action, detail }) => [action, detail]);
};

test('2.9 an import supplier has a code and a status, Ongoing from the start, and its configuration', async () => {
  const supplier = await create('NW-1');
  expect(supplier).toEqual({
    code: 'NW-1',
    name: 'Supplier NW-1',
    organisation_id,
    status: 'ONGOING',
    country: 'GB',
    document_root: 'NW-1',
    document_location: 'causeway-documents/NW-1/',
    send_customer_emails: false,
    email_sender: null,
    email_unsubscribe: null,
    process_concurrency_limit: null,
    reject_undocumented_fields: false,
    undocumented_fields: 'REPORT',
    empty_means_omitted: false,
    statement_amount_unit: 'MAJOR',
    account_types: [],
    balance_check: 'REPORT',
    bulk_parallelism: 2,
    created_at: NOW,
  });
  const counts = { staged: 0, failed: 0, skipped: 0, completed: 0, complete: 0 };
  expect(await suppliers.get.query({ code: 'NW-1' })).toEqual({ ...supplier, counts });
});

test.each([
  ['a code in small letters', { code: 'nw' }, ['code']],
  ['a code of 65 characters', { code: 'N'.repeat(65) }, ['code']],
  ['an unknown country', { country: 'XX' }, ['country']],
  ['a root that leaves the bucket', { document_root: '../x' }, ['document_root']],
  ['a limit of 0', { process_concurrency_limit: 0 }, ['process_concurrency_limit']],
  ['text for a boolean', { send_customer_emails: 'false' }, ['send_customer_emails']],
  ['an unknown mode for undocumented fields', { undocumented_fields: 'IGNORE' }, ['undocumented_fields']],
  ['text for empty_means_omitted', { empty_means_omitted: 'true' }, ['empty_means_omitted']],
  ['an unknown unit', { statement_amount_unit: 'PENCE' }, ['statement_amount_unit']],
  ['an unknown balance check', { balance_check: true }, ['balance_check']],
  ['an account type in small letters', { account_types: ['FARM', 'farm'] }, ['account_types.1']],
  ['101 account types', { account_types: Array.from({ length: 101 }, (_, i) => `T${i}`) }, ['account_types']],
  ['null for a setting', { undocumented_fields: null, account_types: null }, ['undocumented_fields', 'account_types']],
  [
    'two settings for undocumented fields that contradict each other',
    { reject_undocumented_fields: true, undocumented_fields: 'KEEP' },
    ['reject_undocumented_fields'],
  ],
  ['several at once', { name: '', country: 'xx' }, ['name', 'country']],
])('14.4 importSuppliers.create refuses %s', async (_what, settings, attrs) => {
  expect(await refusal(create('NW-BAD', settings))).toEqual({ status: 400, code: 'request_failed_validation', attrs });
  expect(await service.database.prisma.importSupplier.count({ where: { code: 'NW-BAD' } })).toBe(0);
});

test('14.4 importSuppliers.create refuses a code that is taken and an organisation that does not exist', async () => {
  await create('NW-2');
  const { id: other } = await service.staff.organisations.create.mutate({ name: 'Southwind' });
  expect(await refusal(create('NW-2', { organisation_id: other }))).toEqual({
    status: 409,
    code: 'import_supplier_already_exists',
    attrs: ['code'],
  });
  const absent = '00000000-0000-4000-8000-000000000000';
  expect(await refusal(create('NW-3', { organisation_id: absent }))).toMatchObject({
    status: 404,
    code: 'organisation_does_not_exist',
  });
});

test('14.4 importSuppliers.update changes what it names, and the next call heeds it', async () => {
  const supplier = await service.createSupplier();
  const account = { ...supplier.account(), nickname: 'x' };
  expect((await supplier.post('validate-account/', account)).status).toBe(200);
  const { code } = supplier;
  const updated = await suppliers.update.mutate({
    code,
    reject_undocumented_fields: true,
    process_concurrency_limit: 40,
  });
  expect(updated).toMatchObject({ name: code, reject_undocumented_fields: true, process_concurrency_limit: 40 });
  const refused = await supplier.post('validate-account/', account);
  expect([refused.status, refused.body.errors]).toMatchObject([
    400,
    [{ attr: 'nickname', code: 'undocumented_field' }],
  ]);
  const detail = { reject_undocumented_fields: true, process_concurrency_limit: 40 };
  expect((await actionsOf(code)).at(-1)).toEqual(['updated', detail]);
});

const SETTINGS = {
  undocumented_fields: 'KEEP' as const,
  empty_means_omitted: true,
  statement_amount_unit: 'MINOR' as const,
  account_types: ['FARM', 'HOUSEBOAT'],
  balance_check: 'REFUSE' as const,
};

test('2.9 what an import supplier accepts is configured when it is created, or later, and audited', async () => {
  await create('NW-6', SETTINGS);
  expect(await suppliers.get.query({ code: 'NW-6' })).toMatchObject({ ...SETTINGS, reject_undocumented_fields: false });
  expect((await actionsOf('NW-6')).at(-1)).toEqual(['created', expect.objectContaining(SETTINGS)]);
  const { code } = await create('NW-7');
  expect(await suppliers.update.mutate({ code, ...SETTINGS })).toMatchObject(SETTINGS);
  expect((await actionsOf(code)).at(-1)).toEqual(['updated', SETTINGS]);
  const listed = await suppliers.list.query({ organisation_id });
  for (const name of ['NW-6', 'NW-7']) {
    expect(listed.find((supplier) => supplier.code === name)).toMatchObject(SETTINGS);
    expect(await suppliers.setStatus.mutate({ code: name, status: 'PAUSED' })).toMatchObject(SETTINGS);
  }
  const emptied = { code, account_types: [], undocumented_fields: 'REPORT' as const };
  expect(await suppliers.update.mutate(emptied)).toMatchObject({ ...SETTINGS, ...emptied });
});

test.each([
  ['true', 'REPORT', { reject_undocumented_fields: true }, 'REJECT'],
  ['true', 'KEEP', { reject_undocumented_fields: true }, 'REJECT'],
  ['false', 'REJECT', { reject_undocumented_fields: false }, 'REPORT'],
  ['false', 'KEEP', { reject_undocumented_fields: false }, 'KEEP'],
  ['true in agreement', 'KEEP', { reject_undocumented_fields: true, undocumented_fields: 'REJECT' }, 'REJECT'],
  ['false in agreement', 'REJECT', { reject_undocumented_fields: false, undocumented_fields: 'KEEP' }, 'KEEP'],
  ['no value', 'KEEP', {}, 'KEEP'],
] as const)(
  '2.9 reject_undocumented_fields: %s makes undocumented_fields %s what it should be',
  async (_value, undocumented_fields, change, expected) => {
    const { code } = await service.createSupplier({ undocumented_fields });
    const reject_undocumented_fields = expected === 'REJECT';
    const settings = { undocumented_fields: expected, reject_undocumented_fields };
    expect(await suppliers.update.mutate({ code, ...change })).toMatchObject(settings);
    expect(await suppliers.get.query({ code })).toMatchObject(settings);
  },
);

test('2.9 the two settings for undocumented fields cannot contradict each other in an update either', async () => {
  const { code } = await service.createSupplier();
  const contradiction = { code, reject_undocumented_fields: false, undocumented_fields: 'REJECT' } as const;
  expect(await refusal(suppliers.update.mutate(contradiction))).toEqual({
    status: 400,
    code: 'request_failed_validation',
    attrs: ['reject_undocumented_fields'],
  });
  expect(await suppliers.get.query({ code })).toMatchObject({ undocumented_fields: 'REPORT' });
});

test('14.4 importSuppliers.update refuses a code that does not exist, and bad values', async () => {
  expect(await refusal(suppliers.update.mutate({ code: 'NONE', name: 'x' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
    attrs: ['code'],
  });
  await create('NW-4');
  const bad = suppliers.update.mutate({ code: 'NW-4', country: 'Mars', name: ' ' });
  expect(await refusal(bad)).toMatchObject({ status: 400, attrs: ['name', 'country'] });
});

const transitions = [
  ['ONGOING', 'PAUSED', undefined, true],
  ['ONGOING', 'COMPLETE', 'It is over', true],
  ['PAUSED', 'ONGOING', undefined, true],
  ['PAUSED', 'COMPLETE', 'It is over', true],
  ['COMPLETE', 'ONGOING', 'A second cohort', true],
  ['COMPLETE', 'ONGOING', undefined, false],
  ['COMPLETE', 'PAUSED', undefined, false],
  ['COMPLETE', 'PAUSED', 'Because', false],
] as const;
test.each(transitions)(
  '3.2 importSuppliers.setStatus from %s to %s (reason: %s): %s',
  async (from, to, reason, allowed) => {
    const supplier = await service.createSupplier();
    const { code } = supplier;
    if (from !== 'ONGOING') {
      await suppliers.setStatus.mutate({ code, status: from, reason: 'Test' });
    }
    const call = suppliers.setStatus.mutate({ code, status: to, reason });
    if (allowed) {
      expect(await call).toMatchObject({ code, status: to });
      expect((await actionsOf(code)).at(-1)).toMatchObject(['status_set', { status: to, ...(reason && { reason }) }]);
    } else {
      expect(await refusal(call)).toMatchObject({ status: 409, code: 'import_supplier_status_not_allowed' });
    }
    const { status } = await suppliers.get.query({ code });
    expect(status).toBe(allowed ? to : from);
    // Whatever was answered, the next stage call goes by it.
    const staged = await supplier.post('account-import-process/create-or-update/', supplier.account());
    expect(staged.status).toBe(status === 'ONGOING' ? 201 : 400);
  },
);

test('3.2 importSuppliers.setStatus refuses a status that there is not and a code that does not exist', async () => {
  await create('NW-5');
  const wrong = suppliers.setStatus.mutate({ code: 'NW-5', status: 'Paused' as 'PAUSED' });
  expect(await refusal(wrong)).toMatchObject({ status: 400, attrs: ['status'] });
  const absent = suppliers.setStatus.mutate({ code: 'NONE', status: 'PAUSED' });
  expect(await refusal(absent)).toMatchObject({ code: 'import_supplier_does_not_exist', attrs: ['code'] });
});

test('14.4 importSuppliers.get counts the account imports by state', async () => {
  const supplier = await service.createSupplier();
  await supplier.importAccount();
  for (const name of [undefined, undefined, 'No such team']) {
    const number = await supplier.stage();
    if (name !== undefined) {
      const request = { ...supplier.processRequest(number), operations_team_name: name };
      await supplier.post('account-import-process/process/', request);
    }
  }
  const skipped = { code: supplier.code, external_account_number: await supplier.stage(), reason: 'Left' };
  await service.staff.accountImports.skip.mutate(skipped);
  const { counts } = await suppliers.get.query({ code: supplier.code });
  expect(counts).toEqual({ staged: 2, failed: 1, skipped: 1, completed: 1, complete: 1 });
  expect(await refusal(suppliers.get.query({ code: 'NONE' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
    attrs: ['code'],
  });
});

test('14.4 importSuppliers.list has them by code, of one organisation if asked, in pages', async () => {
  const own: TestSupplier = await service.createSupplier({ code: 'LIST-B' });
  await service.createSupplier({ of: own, code: 'LIST-A' });
  const codes = async (input: object) => (await suppliers.list.query(input)).map(({ code }) => code);
  const ofOne = { organisation_id: own.organisationId };
  expect(await codes(ofOne)).toEqual(['LIST-A', 'LIST-B']);
  expect(await codes({ ...ofOne, limit: 1 })).toEqual(['LIST-A']);
  expect(await codes({ ...ofOne, after: 'LIST-A' })).toEqual(['LIST-B']);
  const all = await codes({});
  expect(all).toEqual([...all].sort());
  expect(await refusal(suppliers.list.query({ organisation_id: 'x' }))).toMatchObject({ status: 400 });
});
