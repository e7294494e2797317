import type { SqlStatement } from '@causeway/db';
import { expect, test } from 'vitest';
import { importPaymentInstruction } from '../../src/index.ts';
import type { Context } from '../../src/shared/context.ts';

const FOUND = { revision: 0, written: false, erased: false, keeps_too_much: false, busy: false, stored: null };

/** A service whose account is created after it was looked for once; `asked` says whether a transaction was open. */
function accountCreatedMeanwhile() {
  const asked: { inTransaction: boolean }[] = [];
  let looked = 0;
  let inTransaction = false;
  const query = async (statement: SqlStatement<unknown, string>, values: { calls?: string }) => {
    if (!statement.name.startsWith('import-payment-instruction')) return [];
    looked += 1;
    if (looked === 1) return [];
    const [{ id, seen_revision }] = JSON.parse(values.calls ?? '[{}]');
    return [{ ...FOUND, id, service_account_number: 'A-1', written: seen_revision !== null }];
  };
  const database = {
    query,
    transaction: async <T>(work: (within: { query: typeof query }) => Promise<T>) => {
      inTransaction = true;
      return work({ query }).finally(() => {
        inTransaction = false;
      });
    },
  };
  const vendor = {
    name: 'SANDBOX',
    fetchInstruction: async () => {
      asked.push({ inTransaction });
      return {};
    },
  };
  const context = {
    database,
    clock: () => new Date(),
    actor: { kind: 'staff', apiKeyId: '00000000-0000-4000-8000-000000000001' },
    requestId: 'r',
    importSuppliers: { find: async () => ({}) },
    paymentVendors: new Map([['SANDBOX', vendor]]),
  } as unknown as Context;
  return { context, asked };
}

test('4.7.2 a dry run of an account that is created meanwhile calls no vendor within its transaction', async () => {
  const { context, asked } = accountCreatedMeanwhile();
  const account = { import_supplier: 'X', external_account_number: '1' };
  const call = importPaymentInstruction(context, {
    ...account,
    vendor: 'SANDBOX',
    reference: 'pm_1',
    type: 'CARD',
    dry_run: true,
  });
  await expect(call).rejects.toMatchObject({ code: 'account_not_found' });
  expect(asked).toEqual([]);
});
