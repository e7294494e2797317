import { z } from 'zod';
import { list } from './bounded-list.ts';
import { differences } from './differing-fields.ts';
import { DryRun } from './dry-run.ts';
import { field, optional } from './field.ts';
import { CalendarDate } from './formats.ts';
import { ExternalAccountNumber, ImportSupplierCode } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { MoneyString } from './numbers.ts';
import { unequalRepeats } from './repeats.ts';
import { type Rule, withRules } from './rules.ts';
import { LineItem, TaxItem } from './transaction-items.ts';
import { exampleCharge, examplePayment, Transaction, TransactionType } from './transactions.ts';

const repeatsAreEqual: Rule<{ transactions: object[]; check_previously_added: boolean }> = {
  reads: ['transactions', 'check_previously_added'],
  check: ({ transactions, check_previously_added }, faults) =>
    check_previously_added
      ? unequalRepeats(transactions, { identifier: 'transaction_id', path: ['transactions'], faults })
      : undefined,
};

/** The request of the transactions import, including its two query parameters (behaviour 4.5). */
export const ImportTransactionsRequest = withRules(
  z.object({
    import_supplier: ImportSupplierCode,
    external_account_number: ExternalAccountNumber,
    transactions: field(
      list(Transaction, LIMITS.transactions, 1),
      `The transactions, 1 to ${limitText(LIMITS.transactions)}.`,
      [exampleCharge],
    ),
    dry_run: DryRun,
    check_previously_added: field(
      z.boolean(),
      'True: a transaction whose `transaction_id` the account already has is skipped. False: every transaction is added without a check.',
      true,
    ).default(true),
    force_add_to_current_statement: field(
      z.boolean(),
      'True: a transaction outside the open statement period is moved to the nearest day inside; a description on the transaction and a pinned note record it. False: it is an error, and nothing is added.',
      true,
    ).default(true),
  }),
  repeatsAreEqual,
).meta({
  id: 'ImportTransactionsRequest',
  description: 'Adds transactions to an imported account: all of them or none.',
  examples: [
    {
      import_supplier: 'NORTHWIND-2026',
      external_account_number: 'NW-0001482',
      transactions: [exampleCharge, examplePayment],
    },
  ],
});
export type ImportTransactionsRequest = z.infer<typeof ImportTransactionsRequest>;

const exampleData = { ...exampleCharge, amount: '76.54' };

/**
 * A transaction as stored: the one that was sent, its amount as a string and its date possibly moved (behaviour 4.5).
 */
export const TransactionData = z
  .object({
    transaction_id: field(z.string(), 'Your own identifier of the transaction.', 'T-20260405-77'),
    transaction_date: field(
      CalendarDate,
      'The day with which the transaction is stored; `description` says if it was moved.',
      '2026-04-05',
    ),
    amount: field(MoneyString, 'The amount, with two decimals.', '76.54'),
    type: field(TransactionType, 'The kind of transaction.', 'CHARGE'),
    reason: optional(z.string(), 'As sent.', 'IMPORTED_CHARGE'),
    display_note: optional(z.string(), 'As sent.', 'Adjustment for March'),
    note: optional(z.string(), 'As sent.', 'Imported from CRM'),
    reference: optional(z.string(), 'As sent.', 'NW 0001482'),
    payment_type: optional(z.string(), 'As sent.', 'DD_REGULAR_COLLECTION'),
    product_code: optional(z.string(), 'As sent.', 'E-1R-FIX-24M-A'),
    supply_point_identifier: optional(z.string(), 'As sent.', '1900012345678'),
    reverses: optional(z.string(), 'As sent.', 'T-20260401-76'),
    to_prepay_meter_serial_number: optional(z.string(), 'As sent.', '21L3948871'),
    line_items: optional(z.array(LineItem), 'As sent.', []),
    tax_items: optional(z.array(TaxItem), 'As sent.', []),
    description: optional(
      z.string(),
      'The original date, and why it was changed; absent if the transaction was not moved.',
      'The original date 2026-01-31 lies outside the open statement period (2026-03-01 to 2026-04-17); the transaction was added on 2026-03-01.',
    ),
    status: optional(
      z.literal('TRANSACTION_IMPORT_SUCCESS'),
      'Only on a transaction that was added before.',
      'TRANSACTION_IMPORT_SUCCESS',
    ),
  })
  .meta({ id: 'TransactionData', description: 'A transaction as stored.', examples: [exampleData] });
export type TransactionData = z.infer<typeof TransactionData>;

export const TransactionStatus = z.enum(['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS']);

export const TransactionResult = z
  .object({
    status: field(
      TransactionStatus,
      'TRANSACTION_ADDED_TO_ACCOUNT: added now. TRANSACTION_ALREADY_EXISTS: added before, skipped now.',
      'TRANSACTION_ADDED_TO_ACCOUNT',
    ),
    transaction_data: TransactionData,
    differences: optional(
      differences,
      'Only on a transaction that was added before: the fields whose values are not those that were sent now. They were not changed. Absent where there are none.',
      ['amount'],
    ),
  })
  .meta({
    id: 'TransactionResult',
    description: 'The result of one transaction. One that was added before is shown as it is stored.',
    examples: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: exampleData }],
  });
export type TransactionResult = z.infer<typeof TransactionResult>;

/** What the transactions import answers (behaviour 4.5). */
export const ImportTransactionsResponse = z
  .object({
    results: field(z.array(TransactionResult), 'One for each transaction, in the order of the request.'),
  })
  .meta({
    id: 'ImportTransactionsResponse',
    description: 'The result of each transaction.',
    examples: [
      {
        results: [
          { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: exampleData },
          {
            status: 'TRANSACTION_ALREADY_EXISTS',
            transaction_data: { ...examplePayment, amount: '50.00', status: 'TRANSACTION_IMPORT_SUCCESS' as const },
          },
        ],
      },
    ],
  });
export type ImportTransactionsResponse = z.infer<typeof ImportTransactionsResponse>;
