import { randomUUID } from 'node:crypto';
import { derivedId } from '@causeway/domain';
import { expect, test } from 'vitest';
import { obtainToken, serviceOfFile, trpcClient } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

const NOW = '2026-04-20T11:30:00Z';

const service = await serviceOfFile();
service.setTime(NOW);

const create = (name: string) => service.staff.organisations.create.mutate({ name });

async function auditOf(subject_id: string) {
  const events = await service.database.prisma.auditEvent.findMany({ where: { subject_id }, orderBy: { id: 'asc' } });
  return events.map(({ subject, action, actor }) => [subject, action, actor]);
}

test('14.2 organisations.create answers with id and name, and leaves an audit row', async () => {
  const organisation = await create('Northwind Énergie');
  expect(organisation).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Northwind Énergie' });
  expect(await auditOf(organisation.id)).toEqual([['organisation', 'created', 'staff']]);
});

test('5.5 14.3 apiKeys.issue gives a key that works for its organisation, shown once and never stored', async () => {
  const { id: organisation_id } = await create('Key holder');
  const issued = await service.staff.apiKeys.issue.mutate({ organisation_id, label: 'Live' });
  expect(issued.api_key).toMatch(/^cw_supplier_[0-9A-Za-z]{49}$/);
  expect(await obtainToken(service.url, issued.api_key)).toMatch(/^ey/);
  expect(await service.staff.apiKeys.list.query({ organisation_id })).toEqual([
    { id: issued.id, organisation_id, label: 'Live', person: null, role: null, created_at: NOW, revoked_at: null },
  ]);
  expect(await auditOf(issued.id)).toEqual([['api_key', 'issued', 'staff']]);
  const { rows } = await service.database.pool.query(
    `SELECT (SELECT string_agg(k::text, '') FROM api_keys k) || (SELECT string_agg(a::text, '') FROM audit_events a) AS all`,
  );
  expect(rows[0].all).not.toContain(issued.api_key);
});

test('14.3 24.1.1 apiKeys.issueStaff gives a key of the service team, or of one person of it', async () => {
  const { id, api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Console', person: 'Priya Raman' });
  expect(api_key).toMatch(/^cw_staff_/);
  const colleague = trpcClient(service.url, await obtainToken(service.url, api_key));
  const listed = await colleague.apiKeys.list.query();
  expect(listed).toContainEqual({
    ...{ id, organisation_id: null, label: 'Console', person: 'Priya Raman' },
    ...{ role: 'FULL', created_at: NOW, revoked_at: null },
  });
  expect(await refusal(service.staff.apiKeys.issueStaff.mutate({ label: ' ', person: '' }))).toMatchObject({
    attrs: ['label', 'person'],
  });
});

test('14.5 operationsTeams.create and list: a name is there once', async () => {
  const { operationsTeams } = service.staff;
  const team = await operationsTeams.create.mutate({ name: 'Night shift' });
  expect(team).toEqual({ id: expect.any(String), name: 'Night shift', organisation_id: null, created_at: NOW });
  expect(await operationsTeams.list.query({ limit: 10_000 })).toContainEqual(team);
  expect(await auditOf(team.id)).toEqual([['operations_team', 'created', 'staff']]);
  expect(await refusal(operationsTeams.create.mutate({ name: 'Night shift' }))).toEqual({
    status: 409,
    code: 'operations_team_already_exists',
    attrs: ['name'],
  });
  expect(await refusal(operationsTeams.create.mutate({ name: '' }))).toMatchObject({ status: 400, attrs: ['name'] });
  expect(await refusal(operationsTeams.list.query({ after: 'x' }))).toMatchObject({ status: 400, attrs: ['after'] });
});

test('24.1.2 the audit trail and the timeline name the person whose key was used', async () => {
  const { staff, url } = service;
  const { api_key } = await staff.apiKeys.issueStaff.mutate({ label: 'Support', person: 'Priya Raman' });
  const priya = trpcClient(url, await obtainToken(url, api_key));
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const account = supplier.account();
  const { external_account_number } = account;
  await supplier.post('account-import-process/create-or-update/', account);
  await staff.accountImports.skip.mutate({ code, external_account_number, reason: 'A double' });
  await priya.accountImports.unskip.mutate({ code, external_account_number });

  const trail = await staff.audit.list.query({ subject: 'account_import', code, external_account_number });
  const persons = [
    ['staged', null],
    ['skipped', null],
    ['unskipped', 'Priya Raman'],
  ];
  expect(trail.map(({ action, person }) => [action, person])).toEqual(persons);
  const timeline = await staff.accounts.timeline.query({ code, external_account_number });
  expect(timeline.map(({ event }) => event)).toEqual(trail);
  const { audit_trail } = await staff.accountImports.get.query({ code, external_account_number });
  expect(audit_trail).toEqual(trail);
});

test('14.3.4 session.whoAmI tells an organisation and a person whose key they have', async () => {
  const organisation = await create('Whose key');
  const supplier = await service.staff.apiKeys.issue.mutate({ organisation_id: organisation.id, label: 'live' });
  const person = await service.staff.apiKeys.issueStaff.mutate({ label: 'console', person: 'Priya Raman' });
  const asked = async (apiKey: string) => {
    const token = await obtainToken(service.url, apiKey);
    return await trpcClient(service.url, token).session.whoAmI.query();
  };
  expect(await asked(supplier.api_key)).toEqual({
    kind: 'supplier',
    label: 'live',
    person: null,
    role: null,
    organisation,
  });
  expect(await asked(person.api_key)).toEqual({
    ...{ kind: 'staff', label: 'console', person: 'Priya Raman', role: 'FULL', organisation: null },
  });
});

test('4.3 a team of an organisation is unknown to the import suppliers of any other', async () => {
  const owner = await service.createSupplier();
  const sibling = await service.createSupplier({ of: owner });
  const foreign = await service.createSupplier();
  const name = `Bound ${randomUUID()}`;
  const team = await service.staff.operationsTeams.create.mutate({ name, organisation_id: owner.organisationId });
  expect(team).toMatchObject({ name, organisation_id: owner.organisationId });
  const processWith = async (supplier: typeof owner, operations_team_name: string) => {
    const number = await supplier.stage();
    const { status, body } = await supplier.post('account-import-process/process/', {
      ...supplier.processRequest(number),
      operations_team_name,
    });
    return { status, body };
  };
  expect((await processWith(owner, name)).status).toBe(201);
  expect((await processWith(sibling, name)).status).toBe(201);
  const refused = await processWith(foreign, name);
  expect(refused).toEqual(await processWith(foreign, 'Never created'));
  expect([refused.status, refused.body.code]).toEqual([400, 'operations_team_name_does_not_exist']);
  const listed = await service.staff.operationsTeams.list.query();
  expect(listed).toContainEqual(team);
  expect(listed.find((other) => other.name === foreign.teamName)?.organisation_id).toBeNull();
});

test('14.5 a team of no organisation stays open to all, and one of an organisation that was never created is refused', async () => {
  const [one, other] = [await service.createSupplier(), await service.createSupplier()];
  for (const supplier of [one, other]) {
    const number = await supplier.stage();
    const request = { ...supplier.processRequest(number), operations_team_name: one.teamName };
    expect((await supplier.post('account-import-process/process/', request)).status).toBe(201);
  }
  const name = `Team ${randomUUID()}`;
  const create = service.staff.operationsTeams.create.mutate({ name, organisation_id: randomUUID() });
  expect(await refusal(create)).toMatchObject({ code: 'organisation_does_not_exist', attrs: ['organisation_id'] });
  expect(await service.database.prisma.operationsTeam.count({ where: { name } })).toBe(0);
});

let organisation_id: string;
const suppliers = service.staff.importSuppliers;
({ id: organisation_id } = await service.staff.organisations.create.mutate({ name: 'Northwind' }));

const createSupplier = (code: string, settings: object = {}) =>
  suppliers.create.mutate({ code, name: `Supplier ${code}`, organisation_id, ...settings });

const actionsOf = async (code: string) => {
  const where = { subject_id: derivedId('import_supplier', code) };
  const events = await service.database.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ action, detail }) => [action, detail]);
};

test('1.4 2.9 14.4 an import supplier has a code and a status, Ongoing from the start, and its configuration', async () => {
  const supplier = await createSupplier('NW-1');
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
    suspect_data: 'REPORT',
    suspect_data_by_code: {},
    zero_amounts: 'KEEP',
    undo_hours: 0,
    suppliers_may_undo: false,
    bulk_parallelism: 2,
    created_at: NOW,
  });
  const counts = { staged: 0, failed: 0, skipped: 0, completed: 0, undone: 0, complete: 0 };
  expect(await suppliers.get.query({ code: 'NW-1' })).toEqual({ ...supplier, counts });
});

const SETTINGS = {
  undocumented_fields: 'KEEP' as const,
  empty_means_omitted: true,
  statement_amount_unit: 'MINOR' as const,
  account_types: ['FARM', 'HOUSEBOAT'],
  balance_check: 'REFUSE' as const,
  zero_amounts: 'OMIT' as const,
};

test('2.9 14.4 what an import supplier accepts is configured when it is created, or later, and audited', async () => {
  await createSupplier('NW-6', SETTINGS);
  expect(await suppliers.get.query({ code: 'NW-6' })).toMatchObject({ ...SETTINGS, reject_undocumented_fields: false });
  expect((await actionsOf('NW-6')).at(-1)).toEqual(['created', expect.objectContaining(SETTINGS)]);
  const { code } = await createSupplier('NW-7');
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
