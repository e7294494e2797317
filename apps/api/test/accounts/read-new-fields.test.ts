import { afterAll, beforeAll, expect, test } from 'vitest';
import { sameOverTrpc } from '../support/parity.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { charge, EVERY_TYPE } from '../transactions/examples.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  service.setTime('2026-04-20T11:30:00Z');
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

test('4.16.3 a note is read back with its external_id and whether it is archived, and one of the service as such', async () => {
  const { reference, externalAccountNumber } = await supplier.importAccount();
  const note = {
    body: 'x',
    created_at: '2025-01-01T00:00:00Z',
    is_pinned: true,
    is_archived: true,
    external_id: 'N-1',
  };
  await supplier.post('notes/create/', { ...reference, notes: [note] });
  const transactions = [charge('T-1', { transaction_date: '2020-01-01' })];
  await supplier.post('transactions/create/', { ...reference, transactions });
  const input = { import_supplier_code: supplier.code, external_account_number: externalAccountNumber };
  const { body } = await sameOverTrpc(supplier, 'accounts.notes', { input });
  expect(body).toEqual([
    { position: 1, ...note },
    expect.objectContaining({ position: 2, is_pinned: true, is_archived: false, is_generated: true }),
  ]);
});

test('4.16.3 a transaction of any kind is read back with what is seen on others, its decimal numbers as strings', async () => {
  const { reference, externalAccountNumber } = await supplier.importAccount();
  const others = {
    ...{ display_note: 'For you', note: 'For us', reference: '007', payment_type: 'DEBIT_CARD', product_code: 'E-1R' },
    supply_point_identifier: '1900012345678',
  };
  const tax = { tax_type: 'VAT', unit_type: 'PROPORTION' };
  const tax_items = [{ ...tax, amount: '0.0000000001', value_taxed: 10, rate: '0.0500' }];
  const sent = Object.values(EVERY_TYPE).map(({ type, amount }, index) => ({
    ...(EVERY_TYPE[type] as object),
    ...{ ...others, transaction_id: `T-${index}`, transaction_date: '2026-04-05', type, amount, tax_items },
  }));
  const answer = await supplier.post('transactions/create/', { ...reference, transactions: sent });
  expect(answer.status).toBe(201);
  const input = { import_supplier_code: supplier.code, external_account_number: externalAccountNumber };
  const { body } = await sameOverTrpc(supplier, 'accounts.transactions', { input });
  expect(body).toHaveLength(sent.length);
  for (const [index, { amount }] of sent.entries()) {
    expect(body[index]).toMatchObject({
      ...others,
      amount: amount.toFixed(2),
      tax_items: [{ ...tax, amount: '0.0000000001', value_taxed: '10', rate: '0.05' }],
    });
  }
});
