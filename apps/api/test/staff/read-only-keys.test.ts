import { obtainTokens } from '@causeway/rest-client';
import { expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { addChunk, fileCall, startedJob } from '../bulk/bulk-calls.ts';
import { allRows } from '../support/all-rows.ts';
import { obtainToken, serviceOfFile, trpcClient } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();
const account = await supplier.importAccount();
await supplier.post('notes/create/', { ...account.reference, notes: [{ body: 'x' }] });
const reading = { label: 'look', person: 'Ada Byron', role: 'READ_ONLY' } as const;
const issued = await service.staff.apiKeys.issueStaff.mutate(reading);
const token = await obtainToken(service.url, issued.api_key);
const reader = trpcClient(service.url, token);

const DENIED = { status: 403, code: 'permission_denied' };
const one = () => ({ code: supplier.code, external_account_number: account.externalAccountNumber });
const inPath = () => ({
  import_supplier_code: supplier.code,
  external_account_number: account.externalAccountNumber,
});

const procedures = Object.entries<{ _def: { type: string } }>(appRouter._def.procedures as never);

test('14.3.5 a READ_ONLY key and its refresh tokens are refused every change, before what is sent is looked at', async () => {
  const before = await allRows(service.database);
  const post = { method: 'POST', headers: { Authorization: `Token ${token}` }, body: '{' };
  for (const [path, { _def }] of procedures) {
    if (_def.type !== 'mutation') continue;
    const response = await fetch(`${service.url}/trpc/${path}`, post);
    const { error } = (await response.json()) as { error: { data: { error: { code: string } } } };
    expect([path, response.status, error.data.error.code]).toEqual([path, 403, 'permission_denied']);
  }
  for (const [method, path] of [
    ['POST', 'account-import-process/create-or-update'],
    ['PUT', `bulk-jobs/${account.id}/parts/1`],
    ['PUT', `manifests/${account.id}/parts/1`],
  ]) {
    const response = await fetch(`${service.url}/v1/data-import/${path}/`, { ...post, method: String(method) });
    expect([path, response.status, await response.json()]).toMatchObject([
      path,
      403,
      { code: 'permission_denied', detail: 'This key is read-only.' },
    ]);
  }
  expect(await allRows(service.database)).toEqual(before);

  const { refreshToken } = await obtainTokens(service.url, { apiKey: issued.api_key });
  const refreshed = trpcClient(service.url, (await obtainTokens(service.url, { refreshToken })).token);
  expect(await refusal(refreshed.organisations.create.mutate({ name: 'x' }))).toMatchObject(DENIED);
});

test('14.3.5 it reads everything else, but no personal data', async () => {
  const { accounts, accountImports, dataImport, emailSuppressions, importSuppliers, overview, audit } = reader;
  const before = await allRows(service.database);
  const personal = [
    accounts.get.query(inPath()),
    accounts.notes.query(inPath()),
    accountImports.get.query(one()),
    accountImports.get.query({ ...one(), masked: false }),
    // A sender may have written names of people as names of fields.
    importSuppliers.keptFields.query({ code: supplier.code }),
    emailSuppressions.list.query({ code: supplier.code }),
    // Whether an address is there says something of a person too.
    emailSuppressions.list.query({ code: supplier.code, masked: true, address: 'zoe.hartley@example.com' }),
  ];
  for (const call of personal) expect(await refusal(call)).toMatchObject(DENIED);
  expect(await accountImports.get.query({ ...one(), masked: true })).toMatchObject({ state: 'COMPLETED' });
  expect(await accounts.getMasked.query(one())).toMatchObject({ figures: { notes: 1 } });
  expect(await accountImports.find.query({ text: account.externalAccountNumber })).toMatchObject({
    matches: { length: 1 },
  });
  expect(await emailSuppressions.list.query({ code: supplier.code, masked: true })).toEqual([]);
  expect(await accounts.timeline.query(one())).toHaveLength(3);
  expect(await audit.list.query({ subject: 'account_import', ...one() })).toHaveLength(3);
  expect(await overview.migrations.query()).toHaveLength(1);
  expect(await dataImport.listAccountImports.query({ import_supplier_code: supplier.code })).toHaveLength(1);
  expect(await allRows(service.database)).toEqual(before);

  const job = await supplier.trpc.dataImport.createBulkJob.mutate({ import_supplier: supplier.code, kind: 'STAGE' });
  const failedRows = await fetch(`${service.url}/v1/data-import/bulk-jobs/${job.id}/failed-rows/`, {
    headers: { Authorization: `Token ${token}` },
  });
  expect([failedRows.status, await failedRows.json()]).toMatchObject([403, { code: 'permission_denied' }]);
});

test('14.3.5 whoAmI, the list of keys and the audit trail tell the role', async () => {
  expect(await reader.session.whoAmI.query()).toEqual({
    ...{ kind: 'staff', label: 'look', person: 'Ada Byron', role: 'READ_ONLY', organisation: null },
  });
  const keys = await service.staff.apiKeys.list.query({});
  expect(keys.map(({ organisation_id, role }) => [organisation_id === null, role]).sort()).toEqual([
    [false, null],
    [true, 'FULL'],
    [true, 'READ_ONLY'],
  ]);
  const [event] = await service.staff.audit.list.query({ subject: 'api_key', id: issued.id });
  expect(event?.detail).toMatchObject({ person: 'Ada Byron', is_read_only: true });
});

test('14.3.5 it is not shown the names of undocumented fields in what was refused of an account', async () => {
  const strict = await service.createSupplier({ undocumented_fields: 'REJECT' });
  const customers = [{ family_name: 'Hartley', zoe_is_ill: true, '19850412': true }];
  const sent = strict.account({ zoe_hartley: true, '07700900123': true, customers });
  const { body } = await strict.post('account-import-process/create-or-update/', sent);
  expect(JSON.stringify(body)).toContain('zoe_is_ill');
  const where = { code: strict.code, external_account_number: sent.external_account_number };
  // Of an account that was created, what is refused is an event as well.
  const { reference, externalAccountNumber } = await strict.importAccount();
  await strict.post('notes/create/', { ...reference, notes: [{ body: 'x', zoe_owes: true, '07700900123': true }] });
  const ofCreated = { code: strict.code, external_account_number: externalAccountNumber };
  for (const shown of [
    await reader.accounts.timeline.query(where),
    await reader.accounts.timeline.query(ofCreated),
    await reader.audit.list.query({ subject: 'account_import', ...ofCreated }),
    await reader.accountImports.get.query({ ...ofCreated, masked: true }),
    await reader.dataImport.listEvents.query({ organisation_id: strict.organisationId, type: 'account.refused' }),
  ]) {
    expect(JSON.stringify(shown)).toContain('undocumented_field');
    expect(JSON.stringify(shown)).not.toMatch(/zoe_|07700900123|19850412/);
  }
  expect(JSON.stringify(await service.staff.accounts.timeline.query(where))).toContain('zoe_is_ill');
});

test('14.3.5 it is not shown the names of undocumented fields in the problems of a bulk job and in its report', async () => {
  const id = await startedJob(supplier, service.database);
  const problem = { step: 'validate', code: 'undocumented_field', accounts: 1, samples: ['A-1'] };
  const attrs = ['zoe_hartley', 'customers.0.zoe_hartley', 'customers.0.family_name', 'control.transactions_sum'];
  const clusters = attrs.map((attr) => ({ ...problem, attr }));
  await addChunk(service.database, id, { clusters });
  const read = async (path: string, key: string) => (await fileCall({ url: service.url, token: key }, path)).body;
  const full = await read(`bulk-jobs/${id}/errors/`, supplier.token);
  expect(JSON.stringify(full)).toContain('zoe_hartley');
  const report = JSON.stringify({ ...EMPTY_REPORT, problems: full });
  await service.database.pool.query('UPDATE bulk_jobs SET report = $2 WHERE id = $1', [id, report]);
  expect((await read(`bulk-jobs/${id}/`, supplier.token)).report.problems).toEqual(full);

  const shown = await read(`bulk-jobs/${id}/errors/`, token);
  expect(shown.map(({ attr }: { attr: string }) => attr).sort()).toEqual([
    '*',
    'control.transactions_sum',
    'customers.*.*',
    'customers.*.family_name',
  ]);
  expect((await read(`bulk-jobs/${id}/`, token)).report.problems).toEqual(shown);
});

test('14.3.3 a READ_ONLY key does not count as the last key of the service team, and can be revoked', async () => {
  const keys = await service.staff.apiKeys.list.query({});
  const full = keys.find(({ role }) => role === 'FULL');
  expect(await refusal(service.staff.apiKeys.revoke.mutate({ id: String(full?.id) }))).toMatchObject({
    code: 'last_staff_api_key',
  });
  expect(await service.staff.apiKeys.revoke.mutate({ id: issued.id })).toMatchObject({ role: 'READ_ONLY' });
  expect(await refusal(reader.session.whoAmI.query())).toMatchObject({ status: 401 });
});

const EMPTY_REPORT = {
  finished_at: '2026-03-02T08:00:00Z',
  counts: { created: 0, updated: 0, unchanged: 0, refused: 1, failed: 0, not_processed: 0, waiting: 0 },
  sums: {
    transfer_balance_credit: '0.00',
    transfer_balance_debit: '0.00',
    transactions: {},
    statements: { count: 0, gross: '0.00' },
    notes: 0,
    customers: 0,
    supply_points: 0,
    account_types: {},
  },
  durations: [],
  accounts_changed_since: 0,
  not_covered: [],
};
