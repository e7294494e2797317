import type { z } from 'zod';
import {
  AccountPayload,
  fieldErrorsOf,
  ImportNotesRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
} from '../src/index.ts';

/** What a schema finds wrong with an input, as `attr: code`, in the order of the answer. */
export function problems(schema: z.ZodType, input: unknown): string[] {
  const result = schema.safeParse(input);
  return result.success ? [] : fieldErrorsOf(result.error, input).map(({ attr, code }) => `${attr}: ${code}`);
}

/** The smallest valid account. */
export function account(changes: Record<string, unknown> = {}) {
  return {
    import_supplier: 'NORTHWIND-2026',
    external_account_number: 'NW-1',
    customers: [{ family_name: 'Hartley' }],
    ...changes,
  };
}

export function accountWithMeter(meter: Record<string, unknown>) {
  return account({ supply_addresses: [{ ...supplyAddress, meter_points: [{ meters: [meter] }] }] });
}

export const supplyAddress = {
  supply_address1: '12 Alder Row',
  supply_postcode: 'LS1 4AP',
  customer_at_supply_address_from_date: '2019-04-01',
};

export const charge = {
  transaction_id: 'T-1',
  transaction_date: '2026-04-05',
  type: 'CHARGE',
  amount: 12.3,
  reason: 'IMPORTED_CHARGE',
};

export const lineItem = { start_date: '2026-03-01', end_date: '2026-03-31', number_of_units: 1, net_amount: 1 };

export const supplyCharge = {
  transaction_id: 'T-2',
  transaction_date: '2026-04-05',
  type: 'SUPPLY_CHARGE',
  amount: 80.37,
  product_code: 'E-1R',
  line_items: [lineItem],
};

export const statement = {
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  statement_id: 'ST-1',
  issued_date: '2026-02-03',
  number: '1',
  gross_amount: 0,
};

const of = { import_supplier: 'NORTHWIND-2026', external_account_number: 'NW-1' };
export const notesRequest = (...notes: unknown[]) => ({ ...of, notes });
export const transactionsRequest = (...transactions: unknown[]) => ({ ...of, transactions });
export const statementsRequest = (...statements: unknown[]) => ({ ...of, statements });

export const accountProblems = (changes?: Record<string, unknown>) => problems(AccountPayload, account(changes));
export const noteProblems = (...notes: unknown[]) => problems(ImportNotesRequest, notesRequest(...notes));
export const transactionProblems = (...transactions: unknown[]) =>
  problems(ImportTransactionsRequest, transactionsRequest(...transactions));
export const statementProblems = (...statements: unknown[]) =>
  problems(ImportStatementsRequest, statementsRequest(...statements));
