import { startServiceProcess } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import { allRows } from '../support/all-rows.ts';
import { everyField, MARK } from '../support/every-field.ts';
import { createTestSupplier, obtainToken, startTestService, trpcClient } from '../support/test-service.ts';

const service = await startTestService();
const child = await startServiceProcess({
  DATABASE_URL: service.databaseUrl,
  LOG_LEVEL: 'trace',
  STAFF_API_KEY: service.staffApiKey,
});
const made = await service.createSupplier();
const supplier = createTestSupplier({ ...made, url: child.url, token: await obtainToken(child.url, made.apiKey) });
afterAll(async () => {
  await child.kill();
  await service.stop();
});

/** The account with a fault in each document that tells of need or debt. */
function faulty(account: Record<string, unknown>) {
  const [customer] = account.customers as Record<string, unknown>[];
  const psr = [{ description: MARK, additional_information: `${MARK}\u0007`, effective_from: MARK }];
  return {
    ...account,
    customers: [{ ...customer, psr, psr_password: `${MARK}\u202e` }],
    debts: [{ notes: `${MARK}\u0007`, aged_debt: [{ debt_amount: MARK }] }],
    dunning_path: { start_date: MARK },
    warm_home_discount: [{ group: MARK }],
  };
}

test('2.10.23 needs and debts are in no log, list, metric or remembered refusal, whether they are valid or not', async () => {
  const { account } = everyField('new');
  const of = { import_supplier: supplier.code, external_account_number: 'NW-1' };
  const refused = await supplier.post(STAGE, { ...faulty(account), ...of });
  expect(refused).toMatchObject({ status: 400, body: { code: 'account_failed_validation' } });
  expect(JSON.stringify(refused.body)).not.toContain(`${MARK} `);
  const after = await allRows(service.database);
  for (const [table, rows] of Object.entries(after)) {
    expect([table, rows.join('\n').includes(MARK)]).toEqual([table, false]);
  }

  expect((await supplier.post(STAGE, { ...account, ...of })).status).toBe(201);
  expect((await supplier.post(PROCESS, supplier.processRequest(of.external_account_number))).status).toBe(201);
  const lists = await Promise.all(
    ['all', 'pending', 'imported'].map((list) => supplier.get(`${list}-account-import-processes/${supplier.code}/`)),
  );
  const status = await supplier.get(`account-transfer-status/${supplier.code}/${of.external_account_number}/`);
  const staff = trpcClient(child.url, await obtainToken(child.url, service.staffApiKey));
  const found = await staff.accountImports.list.query({ code: supplier.code, search: of.external_account_number });
  const metrics = await (await fetch(`${child.url}/metrics`)).text();
  expect(await child.terminate()).toBe(0);

  expect(lists.map(({ body }) => body.length)).toEqual([1, 0, 1]);
  expect(child.logLines.length).toBeGreaterThan(5);
  const shown = [...lists.map(({ body }) => body), status.body, found].map((body) => JSON.stringify(body));
  for (const text of [...shown, ...child.logLines, ...child.errorLines, metrics]) {
    expect(text).not.toContain(MARK);
  }
});

test('2.10.23 a remembered problem does not tell whose account has needs or debts', async () => {
  const { account } = everyField('new');
  const external_account_number = 'NW-2';
  const other = await service.createSupplier();
  const payload = { ...account, import_supplier: other.code, external_account_number };
  expect((await other.post(STAGE, payload)).status).toBe(201);
  expect((await other.post(STAGE, faulty(payload))).status).toBe(400);

  const { body: problems } = await other.get(`problems/${other.code}/`);
  const found = { code: other.code, external_account_number };
  const { refusals } = await service.staff.accountImports.get.query(found);
  const timeline = await service.staff.accounts.timeline.query(found);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(problems.map(({ attr }: { attr: string }) => attr)).toContain('customers.*');
  expect(refusals).toHaveLength(1);
  expect(timeline.length).toBeGreaterThan(1);
  for (const shown of [problems, refusals, timeline, metrics]) {
    expect(JSON.stringify(shown)).not.toMatch(/psr|debt|dunning|warm_home|prepay/);
  }
});
