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
  PAYMENT_VENDORS: 'SANDBOX',
});
const made = await service.createSupplier();
const supplier = createTestSupplier({ ...made, url: child.url, token: await obtainToken(child.url, made.apiKey) });
afterAll(async () => {
  await child.kill();
  await service.stop();
});

const NUMBER = 'NW-1';
const HISTORY = {
  notes: [{ body: `${MARK} called`, document_paths: [{ document_path: `${MARK}/1.pdf` }] }],
  transactions: [
    {
      ...{ transaction_id: `${MARK}-T`, transaction_date: '2026-01-01', type: 'CREDIT', amount: 1, reason: 'X' },
      ...{ note: `${MARK} paid`, display_note: MARK, reference: MARK, to_prepay_meter_serial_number: MARK },
    },
  ],
  statements: [
    {
      ...{ statement_id: `${MARK}-S`, bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' },
      ...{ issued_date: '2026-02-03', number: MARK, gross_amount: 1, statement_path: `${MARK}/s.pdf` },
    },
  ],
  payment_instruction: { vendor: 'SANDBOX', reference: `pm_ok_${MARK}`, type: 'CARD' },
};

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

test('2.10.23 4.16.8 what is read back may be kept by nobody; it, needs and debts are in no log, list, metric, event or refusal', async () => {
  const reference = { import_supplier: supplier.code, external_account_number: NUMBER };
  const { transfer_balance: _balance, ...account } = everyField('new').account;
  const refused = await supplier.post(STAGE, { ...faulty(account), ...reference });
  expect(refused).toMatchObject({ status: 400, body: { code: 'account_failed_validation' } });
  expect(JSON.stringify(refused.body)).not.toContain(`${MARK} `);
  for (const [table, stored] of Object.entries(await allRows(service.database, { refusals: true }))) {
    expect([table, stored.join('\n').includes(MARK)]).toEqual([table, false]);
  }
  expect((await supplier.post(STAGE, { ...account, ...HISTORY, ...reference })).status).toBe(201);
  const paths = ['', 'notes/', 'transactions/', 'statements/', 'notes/?limit=1', 'payment-instruction/'];
  const read = async () => {
    for (const path of paths) {
      const { status, body, headers } = await supplier.get(`accounts/${supplier.code}/${NUMBER}/${path}`);
      expect([path, headers.get('Cache-Control'), headers.get('ETag')]).toEqual([path, 'no-store', null]);
      if (status === 200 && body.length !== 0)
        expect([path, JSON.stringify(body)]).toEqual([path, expect.stringContaining(MARK)]);
    }
  };
  await read();
  expect((await supplier.post(PROCESS, supplier.processRequest(NUMBER))).status).toBe(201);
  await read();
  const staff = trpcClient(child.url, await obtainToken(child.url, service.staffApiKey));
  const key = { import_supplier_code: supplier.code, external_account_number: NUMBER };
  const seen = [
    await staff.accounts.get.query(key),
    await staff.accounts.notes.query(key),
    await staff.accounts.transactions.query(key),
    await staff.accounts.statements.query(key),
    await staff.accounts.paymentInstruction.query(key),
    await staff.accounts.paymentInstructions.query(key),
  ];
  for (const answer of seen) expect(JSON.stringify(answer)).toContain(MARK);
  const input = encodeURIComponent(JSON.stringify(key));
  const overTrpc = await fetch(`${child.url}/trpc/accounts.get?input=${input}`, {
    headers: { Authorization: supplier.token },
  });
  expect([overTrpc.status, overTrpc.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const timeline = JSON.stringify(
    await staff.accounts.timeline.query({ code: supplier.code, external_account_number: NUMBER }),
  );
  expect(timeline).toContain('payload_viewed');
  const { rows } = await service.database.pool.query('SELECT event::text FROM audit_events AS event');
  const events = rows.map(({ event }) => event).join();
  expect(events).toContain('payload_viewed');
  const lists = await Promise.all(
    ['all', 'pending', 'imported'].map((list) => supplier.get(`${list}-account-import-processes/${supplier.code}/`)),
  );
  expect(lists.map(({ body }) => body.length)).toEqual([1, 0, 1]);
  const { body: status } = await supplier.get(`account-transfer-status/${supplier.code}/${NUMBER}/`);
  const found = await staff.accountImports.list.query({ code: supplier.code, search: NUMBER });
  const shown = JSON.stringify([lists.map(({ body }) => body), status, found]);
  const metrics = await (await fetch(`${child.url}/metrics`)).text();
  expect(await child.terminate()).toBe(0);
  expect(child.logLines.length).toBeGreaterThan(paths.length * 2);
  for (const text of [shown, timeline, events, metrics, ...child.logLines, ...child.errorLines])
    expect(text).not.toContain(MARK);
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
  expect(refusals.filter(({ refused }) => refused)).toHaveLength(1);
  expect(timeline.length).toBeGreaterThan(1);
  for (const shown of [problems, refusals, timeline, metrics]) {
    expect(JSON.stringify(shown)).not.toMatch(/psr|debt|dunning|warm_home|prepay/);
  }
});
