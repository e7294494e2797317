import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  createTestDatabase,
  OF_EVERY_PROCESS,
  type ServiceProcess,
  startServiceProcess,
  type TestDatabase,
} from '@causeway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The generated types, the type check and the client run as an integrator runs them, against the service as it is run.

const PACKAGE = path.resolve(import.meta.dirname, '..');
const STAFF_API_KEY = 'the-staff-key-of-the-integrator-client-test';
const SUPPLIER = 'NORTHWIND-2026';

let database: TestDatabase;
let service: ServiceProcess;

function run(program: string, ...options: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(path.join(PACKAGE, 'node_modules/.bin', program), options, { cwd: PACKAGE });
}

beforeAll(async () => {
  await run(
    'openapi-typescript',
    '../../apps/api/openapi.json',
    ...['--output', 'src/generated/causeway-api.ts', '--default-non-nullable', 'false'],
  );
  database = await createTestDatabase();
  service = await startServiceProcess({ DATABASE_URL: database.url, STAFF_API_KEY, LOG_LEVEL: 'silent' });
});

afterAll(async () => {
  await service?.terminate();
  await database?.drop();
});

/** What the service team does beforehand, without the typed client: an integrator has none. */
async function setUpSupplier(): Promise<{ apiKey: string; staged: () => Promise<unknown> }> {
  const { createCausewayClient } = await import('../src/causeway-client.ts');
  const { accessTokens } = await import('../src/access-token.ts');
  const token = await accessTokens({ url: service.url, apiKey: STAFF_API_KEY })();
  const call = async (procedure: string, input: object) => {
    const response = await fetch(`${service.url}/trpc/${procedure}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Token ${token}` },
      body: JSON.stringify(input),
    });
    const { result } = (await response.json()) as { result: { data: Record<string, string> } };
    return result.data;
  };
  const { id: organisation_id } = await call('organisations.create', { name: 'Northwind' });
  await call('importSuppliers.create', { code: SUPPLIER, name: 'Northwind', organisation_id });
  await call('operationsTeams.create', { name: 'Migration support' });
  const { api_key: apiKey = '' } = await call('apiKeys.issue', { organisation_id, label: 'integrator' });
  const client = createCausewayClient({ url: service.url, apiKey });
  const staged = async () => {
    const params = { path: { import_supplier_code: SUPPLIER } };
    return (await client.GET('/v1/data-import/all-account-import-processes/{import_supplier_code}/', { params })).data;
  };
  return { apiKey, staged };
}

test('7 a client generated from the document compiles', async () => {
  const { stdout } = await run('tsc', '--noEmit').catch((error) => error);
  expect(stdout).toBe('');
});

test('4.1 to 4.9 a client generated from the document moves an account', async () => {
  const { createCausewayClient } = await import('../src/causeway-client.ts');
  const { moveAccount } = await import('../src/move-account.ts');
  const { apiKey, staged } = await setUpSupplier();
  const client = createCausewayClient({ url: service.url, apiKey });
  const account = { import_supplier: SUPPLIER, external_account_number: 'NW-1' };

  expect(await moveAccount(client, { ...account, customers: [{ given_name: 'Zoë' }] }, 'Night shift')).toEqual({
    outcome: 'refused',
    code: 'operations_team_name_does_not_exist',
    problems: ['operations_team_name: There is no operations team with this name.'],
  });
  expect(await moveAccount(client, account, 'Migration support')).toMatchObject({
    outcome: 'refused',
    code: 'account_failed_validation',
    problems: [expect.stringMatching(/^customers: /)],
  });
  const created = await moveAccount(client, { ...account, customers: [{ given_name: 'Zoë' }] }, 'Migration support');
  expect(created).toEqual({ outcome: 'created', serviceAccountNumber: expect.stringMatching(/^A-\w{8}$/) });
  expect(await moveAccount(client, { ...account, customers: [{ given_name: 'Zoë' }] }, 'Migration support')).toEqual(
    created,
  );
  expect(await staged()).toMatchObject([
    { external_account_number: 'NW-1', service_account_number: expect.any(String) },
  ]);

  const environment = { ...OF_EVERY_PROCESS, CAUSEWAY_URL: service.url, API_KEY: apiKey, IMPORT_SUPPLIER: SUPPLIER };
  const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts'], {
    cwd: PACKAGE,
    env: { ...environment, OPERATIONS_TEAM: 'Migration support' },
  });
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({ outcome: 'created', status: 'COMPLETED', complete: true, problems: [] });
  expect(said.figures).toMatchObject({ transactions: { count: 1, sum: '28.34' }, notes: 1 });
});
