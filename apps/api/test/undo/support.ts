import { expect } from 'vitest';
import { statement } from '../bundles/support.ts';
import type { ImportedAccount, TestService, TestSupplier } from '../support/test-service.ts';

export const UNDO = 'account-import-process/undo/';

/** Of what one call after the other has added to an account, without its numbers. */
export const HISTORY_REMOVED = {
  notes: 1,
  transactions: 2,
  transactions_sum: '7.34',
  statements: 1,
  statements_gross: '112.07',
  payment_instructions: 1,
};

/** Adds a record of each kind to an account, by calls of their own. */
export async function addHistory(supplier: TestSupplier, { reference }: ImportedAccount): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const send = async (path: string, content: object) => {
    const { status, body } = await supplier.post(path, { ...reference, ...content });
    expect(status, JSON.stringify(body)).toBe(201);
  };
  await send('notes/create/', { notes: [{ body: 'A note.', is_pinned: true }], unknown: 1 });
  const charge = { transaction_date: day, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
  await send('transactions/create/', {
    transactions: [
      { ...charge, transaction_id: 'T-1', amount: 12.34 },
      { ...charge, transaction_id: 'T-2', amount: -5 },
    ],
  });
  await send('historical-statements/create/', { statements: [statement('ST-1', { gross_amount: 112.07 })] });
  await send('payment-instruction/create/', { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' });
}

/** The service team's undo of an account. */
export function undoOf(service: TestService, supplier: TestSupplier) {
  return (external_account_number: string, more: { dry_run?: boolean; tell_again?: boolean } = {}) =>
    service.staff.accountImports.undo.mutate({
      ...{ code: supplier.code, external_account_number, reason: 'Wrong tariff' },
      ...more,
    });
}

/** The tables with rows of this account in which a created account alone has some. */
export async function tablesWith({ database }: TestService, id: string): Promise<string[]> {
  const tables = [
    ...['accounts', 'customers', 'supply_addresses', 'meter_points', 'payment_schedules', 'notes', 'transactions'],
    ...['statements', 'payment_instructions', 'superseded_payment_instructions', 'kept_fields'],
    'meter_point_occupancies',
  ];
  const found = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await database.pool.query(`SELECT FROM ${table} WHERE account_import_id = $1 LIMIT 1`, [id]);
      return rows.length > 0 ? [table] : [];
    }),
  );
  return found.flat();
}
