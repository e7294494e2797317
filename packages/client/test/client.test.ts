import { createTestDatabase, startServiceProcess } from '@causeway/testing';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { createClient, eachRecord, failureOf, type Inputs, type Outputs, refusalOf } from '../src/index.ts';

const { url, staffApiKey: apiKey } = inject('sharedService');

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The paths that are asked from here on. */
function watchRequests(): string[] {
  const paths: string[] = [];
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    paths.push(new URL(String(input)).pathname);
    return fetch(input, init);
  });
  return paths;
}

test('19.1 calls procedures by their names, typed from end to end', async () => {
  const client = createClient({ url, apiKey });
  const organisation = await client.organisations.create.mutate({ name: 'Northwind' });
  const settings: Inputs['importSuppliers']['create'] = {
    code: 'NW-1',
    name: 'Northwind, spring',
    organisation_id: organisation.id,
  };
  const supplier: Outputs['importSuppliers']['create'] = await client.importSuppliers.create.mutate(settings);
  expect(supplier).toMatchObject({ ...settings, status: 'ONGOING' });
  const listed = await client.dataImport.listAccountImports.query({ import_supplier_code: 'NW-1' });
  expect(listed).toEqual([]);
});

test('19.2 obtains one token for its calls, sends calls made at the same time together', async () => {
  const paths = watchRequests();
  const client = createClient({ url: `${url}/`, apiKey });
  await Promise.all([client.organisations.list.query(), client.operationsTeams.list.query()]);
  await client.apiKeys.list.query();
  expect(paths).toEqual(['/v1/graphql/', '/trpc/organisations.list,operationsTeams.list', '/trpc/apiKeys.list']);
});

test('19.2 renews its token a minute before it expires', async () => {
  const client = createClient({ url, apiKey });
  await client.organisations.list.query();
  const paths = watchRequests();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 58 * 60_000);
  await client.organisations.list.query();
  expect(paths).toEqual(['/trpc/organisations.list']);
  vi.setSystemTime(Date.now() + 61_000);
  await client.organisations.list.query();
  expect(paths.slice(1)).toEqual(['/v1/graphql/', '/trpc/organisations.list']);
});

test('19.3 tells why a call was refused', async () => {
  const client = createClient({ url, apiKey });
  const error = await client.importSuppliers.get.query({ code: 'NONE' }).catch((reason: unknown) => reason);
  expect(refusalOf(error)).toMatchObject({
    status: 400,
    code: 'import_supplier_does_not_exist',
    errors: [{ attr: 'code' }],
    detail: expect.stringMatching(/\.$/),
  });
  expect(refusalOf(new Error('another'))).toBeUndefined();
});

test('19.4 sends a call with an Idempotency-Key by itself, and gets its first answer again for the same key', async () => {
  const staff = createClient({ url, apiKey });
  const { id: organisation_id } = await staff.organisations.create.mutate({ name: 'Eastwind' });
  const issued = await staff.apiKeys.issue.mutate({ organisation_id, label: 'x' });
  await staff.importSuppliers.create.mutate({ code: 'EW-1', name: 'x', organisation_id });
  const client = createClient({ url, apiKey: issued.api_key });
  const stage = (idempotencyKey: string) =>
    client.dataImport.stageAccount.mutate(
      { import_supplier: 'EW-1', external_account_number: '1', customers: [{ family_name: 'Hartley' }] },
      { context: { idempotencyKey } },
    );
  const paths = watchRequests();
  const [first, second] = await Promise.all([stage('a'), stage('b')]);
  expect(paths.filter((path) => path === '/trpc/dataImport.stageAccount')).toHaveLength(2);
  expect(await Promise.all([stage('a'), stage('b')])).toEqual([first, second]);
  expect(await client.dataImport.listPendingImports.query({ import_supplier_code: 'EW-1' })).toHaveLength(1);
});

test('5 19.3 a bad key is a refusal of its own kind, with the service’s own code, and tried again at the next call', async () => {
  const client = createClient({ url, apiKey: 'y'.repeat(40) });
  const paths = watchRequests();
  await expect(client.organisations.list.query()).rejects.toThrow('CW-1101');
  const error = await client.organisations.list.query().catch((reason: unknown) => reason);
  expect(failureOf(error)).toMatchObject({ kind: 'key_refused', code: 'CW-1101' });
  expect(refusalOf(error)).toBeUndefined();
  expect(paths).toEqual(['/v1/graphql/', '/v1/graphql/']);
});

test('19.1 an organisation’s key calls the data-import procedures, and no other', async () => {
  const staff = createClient({ url, apiKey });
  const { id: organisation_id } = await staff.organisations.create.mutate({ name: 'Southwind' });
  const issued = await staff.apiKeys.issue.mutate({ organisation_id, label: 'x' });
  await staff.importSuppliers.create.mutate({ code: 'SW-1', name: 'x', organisation_id });
  const client = createClient({ url, apiKey: issued.api_key });
  expect(await client.dataImport.listPendingImports.query({ import_supplier_code: 'SW-1' })).toEqual([]);
  const error = await client.organisations.list.query().catch((reason: unknown) => reason);
  expect(refusalOf(error)).toMatchObject({ status: 403, code: 'permission_denied' });
});

test('19.9 hundreds of calls at once succeed, also where the service can hardly take any', async () => {
  const database = await createTestDatabase();
  const small = await startServiceProcess({
    DATABASE_URL: database.url,
    STAFF_API_KEY: apiKey,
    LOG_LEVEL: 'warn',
    DATABASE_POOL_SIZE: '2',
    MAX_DATABASE_WAITERS: '10',
  });
  const client = createClient({ url: small.url, apiKey });
  const names = Array.from({ length: 300 }, (_, index) => `Westwind ${index}`);
  const settled = await Promise.allSettled(names.map((name) => client.organisations.create.mutate({ name })));
  const failures = settled.flatMap((call) => (call.status === 'rejected' ? [failureOf(call.reason)] : []));
  await small.terminate();
  await database.drop();
  expect(failures).toEqual([]);
});

test('19.10 follows a list page by page to its end, and continues later behind the last record', async () => {
  const client = createClient({ url, apiKey });
  const { id: organisation_id } = await client.organisations.create.mutate({ name: 'Followed' });
  await client.importSuppliers.create.mutate({ code: 'FW-1', name: 'x', organisation_id });
  const stage = (external_account_number: string) =>
    client.dataImport.stageAccount.mutate({
      import_supplier: 'FW-1',
      external_account_number,
      customers: [{ family_name: 'Hartley' }],
    });
  for (const number of ['A', 'B', 'C', 'D', 'E']) await stage(number);
  const read = async (after?: string) => {
    const numbers: string[] = [];
    const input = { import_supplier_code: 'FW-1', limit: 2, ...(after !== undefined && { after }) };
    for await (const record of eachRecord(client.dataImport.listAccountImports, input)) {
      numbers.push(record.external_account_number);
    }
    return numbers;
  };
  const paths = watchRequests();
  expect(await read()).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(paths).toEqual(Array(3).fill('/trpc/dataImport.listAccountImports'));
  await stage('F');
  expect(await read('E')).toEqual(['F']);
  expect(await read('F')).toEqual([]);
});

test('19.10 follows the lists of the service team likewise', async () => {
  const client = createClient({ url, apiKey });
  const { id: organisation_id } = await client.organisations.create.mutate({ name: 'Listed' });
  for (const name of ['L-1', 'L-2', 'L-3', 'L-4']) {
    await client.importSuppliers.create.mutate({ code: name, name, organisation_id });
    await client.operationsTeams.create.mutate({ name });
    await client.apiKeys.issue.mutate({ organisation_id, label: name });
  }
  const lists = [client.organisations.list, client.importSuppliers.list, client.operationsTeams.list];
  for (const list of [...lists, client.apiKeys.list]) {
    const whole = await list.query({});
    const followed: unknown[] = [];
    vi.restoreAllMocks();
    const paths = watchRequests();
    for await (const record of eachRecord(list, { limit: 2 })) followed.push(record);
    expect(followed).toEqual(whole);
    expect(paths).toHaveLength(Math.ceil(whole.length / 2));
  }
});

test('19.10 follows an audit trail and a timeline likewise', async () => {
  const client = createClient({ url, apiKey });
  const { id: organisation_id } = await client.organisations.create.mutate({ name: 'Traced' });
  const account = { code: 'TR-1', external_account_number: 'A' };
  await client.importSuppliers.create.mutate({ code: 'TR-1', name: 'x', organisation_id });
  const payload = { import_supplier: 'TR-1', external_account_number: 'A', customers: [{ family_name: 'Hartley' }] };
  for (let count = 0; count < 5; count += 1) await client.dataImport.stageAccount.mutate(payload);
  const trail = { subject: 'account_import', ...account } as const;
  const events: unknown[] = [];
  for await (const event of eachRecord(client.audit.list, { ...trail, limit: 2 })) events.push(event);
  expect(events).toEqual(await client.audit.list.query(trail));
  const entries: unknown[] = [];
  for await (const entry of eachRecord(client.accounts.timeline, { ...account, limit: 2 })) entries.push(entry);
  expect(entries).toEqual(await client.accounts.timeline.query(account));
  expect([events.length, entries.length]).toEqual([5, 5]);
});

test('19.10 takes no list that has no pages', () => {
  const client = createClient({ url, apiKey });
  // @ts-expect-error: it has no `after`
  void eachRecord(client.dataImport.listProblems, { import_supplier_code: 'NW-1' });
  // @ts-expect-error: it has no `after`
  void eachRecord(client.importSuppliers.keptFields, { code: 'NW-1' });
});
