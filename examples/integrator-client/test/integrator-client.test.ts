import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import {
  createTestDatabase,
  OF_EVERY_PROCESS,
  type ServiceProcess,
  startServiceProcess,
  type TestDatabase,
} from '@causeway/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

// The generated types, the type check and the client run as an integrator runs them, against the service as it is run.

const PACKAGE = path.resolve(import.meta.dirname, '..');
const STAFF_API_KEY = 'the-staff-key-of-the-integrator-client-test';
const SUPPLIER = 'NORTHWIND-2026';

let database: TestDatabase;
let service: ServiceProcess;
let supplier: Awaited<ReturnType<typeof setUpSupplier>>;

function run(program: string, ...options: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(path.join(PACKAGE, 'node_modules/.bin', program), options, { cwd: PACKAGE });
}

beforeAll(async () => {
  await run('openapi-typescript', '../../apps/api/openapi.json', ...['--output', 'src/generated/causeway-api.ts']);
  database = await createTestDatabase();
  service = await startServiceProcess({
    ...{ DATABASE_URL: database.url, STAFF_API_KEY, LOG_LEVEL: 'silent' },
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  supplier = await setUpSupplier();
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
  const { apiKey, staged } = supplier;
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
});

/** The section of the README, as it is pasted into a shell: everything that it has written so far. */
async function pasteReadme(folder: string, port: number): Promise<{ lines: string[]; stop: () => void }> {
  const readme = await readFile(path.join(PACKAGE, 'README.md'), 'utf8');
  const [, script = ''] = /## Receive webhooks[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const shell = spawn('bash', ['-eu', '-c', script.replace('PORT=8086', `PORT=${port}`)], {
    cwd: PACKAGE,
    env: {
      ...OF_EVERY_PROCESS,
      ...{ PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, TMPDIR: folder },
      ...{ CAUSEWAY_URL: service.url, API_KEY: supplier.apiKey },
      ...{ IMPORT_SUPPLIER: SUPPLIER, OPERATIONS_TEAM: 'Migration support' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines: string[] = [];
  createInterface({ input: shell.stdout }).on('line', (line) => lines.push(line));
  return { lines, stop: () => process.kill(-(shell.pid ?? 0)) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('28.2.1 28.3.1 the receiver does each event once, and refuses what is forged, changed, old or too long', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-receiver-'));
  const port = await freePort();
  const { lines, stop } = await pasteReadme(folder, port);
  onTestFinished(async () => {
    stop();
    await rm(folder, { recursive: true });
  });
  const said = () => lines.map((line) => JSON.parse(line));
  const typesDone = () => said().flatMap(({ type }) => type ?? []);
  await vi.waitFor(() => expect(typesDone()).toContain('account.completed'), { timeout: 600_000 });
  expect(typesDone()).toEqual(['account.staged', 'account.created', 'account.completed']);
  const moved = said().find(({ outcome }) => outcome !== undefined);
  expect(moved).toMatchObject({ outcome: 'created', status: 'COMPLETED', complete: true, problems: [] });
  expect(moved.figures).toMatchObject({ transactions: { count: 1, sum: '28.34' }, notes: 1 });
  expect(said()).toContainEqual({
    ...{ id: expect.stringMatching(/^evt_/), type: 'account.created' },
    link: `/v1/data-import/accounts/${SUPPLIER}/${moved.account}/`,
  });

  const [made = ''] = await readdir(folder);
  const webhook = new Webhook((await readFile(path.join(folder, made, 'secret'), 'utf8')).trim());
  const send = async (body: string, { signed = body, at = new Date() } = {}) => {
    const { id } = JSON.parse(signed);
    const { status } = await fetch(`http://127.0.0.1:${port}/causeway`, {
      method: 'POST',
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': `v1,Zm9yZ2Vk ${webhook.sign(id, at, signed)}`,
      },
      body: new Blob([body]).stream(),
      duplex: 'half',
    });
    return status;
  };
  const message = (id: string, more = {}) => JSON.stringify({ id, type: 'webhook.test', ...more });
  expect(await send(message('changed', { more: 1 }), { signed: message('changed') })).toBe(401);
  expect(await send(message('old'), { at: new Date(Date.now() - 10 * 60_000) })).toBe(401);
  expect(await send(message('long', { text: 'x'.repeat(2_000_000) })).catch(() => 413)).toBe(413);
  const isDone = (id: string) =>
    vi.waitFor(() => expect(said().map((line) => line.id)).toContain(id), { timeout: 600_000 });
  expect(await send(message('twice'))).toBe(204);
  await isDone('twice');
  expect([await send(message('twice')), await send(message('once'))]).toEqual([204, 204]);
  await isDone('once');
  expect(said().flatMap(({ id }) => id ?? [])).toHaveLength(5);
});
