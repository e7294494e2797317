import { derivedId } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
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

test('3.2 importSuppliers.setStatus from ONGOING to PAUSED is heeded by the next call, and audited', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  expect(await suppliers.setStatus.mutate({ code, status: 'PAUSED' })).toMatchObject({ code, status: 'PAUSED' });
  expect((await actionsOf(code)).at(-1)).toEqual(['status_set', { status: 'PAUSED' }]);
  await expect(supplier.stage()).rejects.toThrow('import_supplier_migration_not_ongoing');
});
