import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listenAt, tryPorts } from '../../src/http/listen.ts';
import { BREAKING, holdAccounts, holdAccountsIn } from '../account-imports/held-accounts.ts';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import { serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
await holdAccountsIn(service.database);

/** The value of every sample by its name and labels, as the scrape writes them. */
async function scrape(url = service.url): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

/** How many requests a scrape counts, as `operation status code`. */
function counted(samples: Map<string, number>): Record<string, number> {
  const name = /^causeway_requests_total\{operation="([^"]*)",status="(\d+)"(?:,code="([^"]*)")?/;
  const counts = [...samples].flatMap(([sample, value]) => {
    const [found, operation, status, code] = name.exec(sample) ?? [];
    return found === undefined ? [] : [[[operation, status, code].filter(Boolean).join(' '), value] as const];
  });
  return Object.fromEntries(counts);
}

test('16.9 counts requests by operation, status, code and import supplier, over REST, tRPC and GraphQL alike', async () => {
  const supplier = await service.createSupplier();
  const fresh = await service.startInstance();
  const calls = { ...supplier, url: fresh.url };
  const asked = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: calls.token, 'Content-Type': 'application/json' };
    await (await fetch(`${fresh.url}${path}`, { headers, ...init })).text();
  };
  const post = (path: string, body: unknown) => asked(path, { method: 'POST', body: JSON.stringify(body) });
  await post(`/v1/data-import/${STAGE}`, supplier.account());
  await post(`/v1/data-import/${STAGE}`, {});
  await post(`/v1/data-import/${STAGE}`, { ...supplier.account(), import_supplier: 'NONE-SUCH' });
  const staged = supplier.account();
  await post(`/v1/data-import/${STAGE}`, staged);
  const process = supplier.processRequest(staged.external_account_number);
  await post(`/v1/data-import/${PROCESS}`, { ...process, dry_run: true });
  await post('/trpc/dataImport.stageAccount', supplier.account());
  await post('/v1/graphql/', { query: 'mutation { obtainToken(input: { APIKey: "no" }) { token } }' });
  await asked('/trpc/organisations.list?input=%7B%7D');
  await asked('/trpc/organisations.drop');
  await asked('/v1/data-import/one/');
  await asked('/two', { headers: {} });
  await asked(`/v1/data-import/account-transfer-status/${supplier.code}/none/`);
  const samples = await scrape(fresh.url);
  const accounts = (state: string) =>
    samples.get(`causeway_account_imports{import_supplier="${supplier.code}",state="${state}"}`);
  expect([accounts('staged'), accounts('skipped')]).toEqual([3, 0]);
  const stagings = 'causeway_requests_total{operation="dataImport.stageAccount",status="201"';
  expect(samples.get(`${stagings},import_supplier="${supplier.code}"}`)).toBe(2);
  expect([...samples.keys()].join()).not.toContain('NONE-SUCH');
  const ofStatement = 'causeway_database_statement_duration_seconds_count{statement="stage-accounts",outcome="done"}';
  expect(samples.get(ofStatement)).toBeGreaterThanOrEqual(1);
  expect(counted(samples)).toEqual({
    'dataImport.stageAccount 201': 2,
    'dataImport.stageAccount 200': 1,
    'dataImport.stageAccount 400 account_failed_validation': 1,
    'dataImport.stageAccount 400 import_supplier_does_not_exist': 1,
    'dataImport.processAccount 400 dry_run_rolled_back': 1,
    'obtainToken 200 CW-1101': 1,
    'organisations.list 403 permission_denied': 1,
    'dataImport.accountStatus 404 account_not_found': 1,
    // Whatever else is asked for has no name of its own: a caller cannot make labels.
    'other 404 not_found': 3,
  });
});

test('16.9.1 shows how webhook endpoints stand, and how late they are that accept what they get', async () => {
  const { pool } = service.database;
  const supplier = await service.createSupplier();
  const create = async (name: string) =>
    (await supplier.post('webhook-endpoints/', { url: `https://hooks.example/${name}` })).body;
  const [accepting, failing, asked] = [await create('accepting'), await create('failing'), await create('asked')];
  await supplier.post(`webhook-endpoints/${asked.id}/update/`, { enabled: false });
  await pool.query('UPDATE webhook_endpoints SET failures = 3, failing_since = now() WHERE id = $1', [failing.id]);
  const standing = async () => {
    const samples = await scrape((await service.startInstance()).url);
    return {
      endpoints: [...samples].filter(([name, count]) => name.startsWith('causeway_webhook_endpoints') && count > 0),
      late: samples.get('causeway_webhook_oldest_unsent_seconds'),
    };
  };
  expect(await standing()).toEqual({
    endpoints: [
      ['causeway_webhook_endpoints{state="accepting"}', 1],
      ['causeway_webhook_endpoints{state="failing"}', 1],
      ['causeway_webhook_endpoints{state="disabled",reason="asked"}', 1],
    ],
    late: 0,
  });
  await supplier.stage();
  await supplier.stage();
  await pool.query(
    `UPDATE events SET occurred_at = occurred_at - interval '1 hour' WHERE id = (SELECT min(id) FROM events
      WHERE import_supplier_code = $1)`,
    [supplier.code],
  );
  expect((await standing()).late).toBeCloseTo(3_600, -2);
  // Only those that fail have them to come.
  await pool.query('UPDATE webhook_endpoints SET failures = 1, failing_since = now() WHERE id = $1', [accepting.id]);
  expect((await standing()).late).toBe(0);
});

test('16.9 shows the database pool and the account imports by import supplier and state', async () => {
  const supplier = await service.createSupplier();
  using hold = await holdAccounts(service.database);
  await supplier.importAccount();
  await supplier.stage();
  const skipped = await supplier.stage();
  await service.staff.accountImports.skip.mutate({
    code: supplier.code,
    external_account_number: skipped,
    reason: 'x',
  });
  const broken = await supplier.stage({ customers: [BREAKING] });
  expect(await supplier.post(PROCESS, supplier.processRequest(broken))).toMatchObject({ status: 500 });
  const held = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
  const answer = supplier.post(PROCESS, supplier.processRequest(held));
  await hold.waitFor(1);
  const samples = await scrape();
  // One works at the account, and one counts the account imports.
  expect(samples.get('causeway_database_pool_connections{state="used"}')).toBeGreaterThanOrEqual(1);
  expect(samples.get('causeway_database_pool_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
  expect(samples.get('causeway_database_pool_waiting_requests')).toBe(0);
  const where = { import_supplier_code: supplier.code };
  const stored = await service.database.prisma.accountImport.groupBy({ by: ['state'], where, _count: true });
  const shown = stored.map(({ state }) => ({
    state,
    _count: samples.get(`causeway_account_imports{import_supplier="${supplier.code}",state="${state.toLowerCase()}"}`),
  }));
  expect(shown).toEqual(stored);
  expect(stored.map(({ state }) => state).sort()).toEqual(['COMPLETED', 'FAILED', 'SKIPPED', 'STAGED'].sort());
  await hold.release();
  expect(await answer).toMatchObject({ status: 201 });
});

test('16.9 metrics on a port of their own are not on the public one, and nothing else is on theirs', async () => {
  const { url, metricsUrl } = await service.startInstance({ METRICS_PORT: '0' });
  const hidden = await fetch(`${url}/metrics`);
  expect([hidden.status, await hidden.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  const shown = await fetch(`${metricsUrl}/metrics`);
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('causeway_requests_at_work 0')]);
  expect((await fetch(`${metricsUrl}/healthz`)).status).toBe(404);
  expect((await fetch(`${metricsUrl}/v1/data-import/notes/create/`, { method: 'POST' })).status).toBe(404);
});

test('16.9.3 metrics may have an address of their own', async () => {
  const { url, metricsUrl } = await service.startInstance({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' });
  expect([new URL(url).hostname, new URL(metricsUrl ?? '').hostname]).toEqual(['127.0.0.1', '127.0.0.2']);
  expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
  await expect(service.startInstance({ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' })).rejects.toThrow(
    'set METRICS_HOST to one',
  );
});

test('16.2.7 one port for the service and its metrics is refused before anything is started', async () => {
  const address = { host: '127.0.0.3', hostVariable: 'HOST' } as const;
  const server = createServer();
  const { port } = await listenAt(server, { ...address, port: 0, variable: 'PORT' });
  await new Promise((resolve) => server.close(resolve));
  const same = { ...address, port };
  const tried = tryPorts({ ...same, variable: 'PORT' }, { ...same, variable: 'METRICS_PORT' });
  await expect(tried).rejects.toThrow('PORT and METRICS_PORT are the same');
  await tryPorts({ ...same, variable: 'PORT' });
});
