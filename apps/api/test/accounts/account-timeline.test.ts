import { expect, test } from 'vitest';
import { STAGE, TRANSACTIONS } from '../refusals/refused-calls.ts';
import { serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();

const { timeline } = service.staff.accounts;
const charge = { transaction_id: 'T-1', transaction_date: '2026-01-15', type: 'CHARGE', amount: 12.5 };

test('4.16.9 tells in one order what was accepted and refused, with the requests', async () => {
  const supplier = await service.createSupplier();
  const { reference } = await supplier.importAccount();
  const refused = await supplier.post(TRANSACTIONS, { ...reference, transactions: [charge] });
  expect(refused.status).toBe(400);
  const one = { code: supplier.code, external_account_number: reference.external_account_number };

  const entries = await timeline.query(one);
  const told = entries.map(({ event, refusal }) => event?.action ?? `refusal of ${refusal?.operation}`);
  expect(told).toEqual(['staged', 'processed', 'transactions_refused', 'refusal of transactions']);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort());
  const id = refused.headers.get('x-request-id');
  expect(entries.at(-1)?.refusal).toMatchObject({
    refused: true,
    code: 'request_failed_validation',
    errors: [{ code: 'required', attr: 'transactions.0.reason' }],
    times: 1,
    request_id: id,
    resolved_at: null,
  });
  expect(entries.at(-2)?.event?.request_id).toBe(id);

  const fixed = { ...reference, transactions: [{ ...charge, reason: 'IMPORTED_CHARGE' }] };
  expect((await supplier.post(TRANSACTIONS, fixed)).status).toBe(201);
  const after = await timeline.query({ ...one, after: entries.at(-1)?.position });
  expect(after.map(({ event }) => event?.action)).toContain('transactions_imported');
  const [refusal] = (await timeline.query(one)).flatMap((entry) => entry.refusal ?? []);
  expect(refusal?.resolved_at).toMatch(/^20.*Z$/);
});

test('4.16.9 is paged without loss or repetition', async () => {
  const supplier = await service.createSupplier();
  const { reference } = await supplier.importAccount();
  for (const transaction_id of ['T-1', 'T-2', 'T-3']) {
    const transactions = [{ ...charge, transaction_id, reason: 'IMPORTED_CHARGE' }];
    expect((await supplier.post(TRANSACTIONS, { ...reference, transactions })).status).toBe(201);
    expect((await supplier.post(TRANSACTIONS, { ...reference, transactions: [charge] })).status).toBe(400);
  }
  const one = { code: supplier.code, external_account_number: reference.external_account_number };
  const whole = await timeline.query(one);
  const paged = [];
  for (let after: string | undefined; ; ) {
    const page = await timeline.query({ ...one, limit: 2, after });
    paged.push(...page);
    after = page.at(-1)?.position;
    if (page.length < 2) break;
  }
  expect(paged).toEqual(whole);
  expect(whole.length).toBeGreaterThan(6);
});

test('4.16.9 is there for what was never staged, if it was refused; otherwise it is not found', async () => {
  const supplier = await service.createSupplier();
  const number = 'NEVER-STAGED';
  const body = { import_supplier: supplier.code, external_account_number: number };
  expect((await supplier.post(STAGE, body)).status).toBe(400);
  const one = { code: supplier.code, external_account_number: number };
  expect(await timeline.query(one)).toMatchObject([{ refusal: { operation: 'stage' } }]);
  const other = timeline.query({ ...one, external_account_number: 'NOTHING' });
  await expect(other).rejects.toMatchObject({ data: { error: { code: 'account_not_found' } } });
});
