import { z } from 'zod';
import { AccountPayload } from '../account/account-payload.ts';
import { AccountPaymentInstruction } from '../account/history.ts';
import { list } from '../bounded-list.ts';
import { field } from '../field.ts';
import { ExternalAccountNumber } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { Note } from '../notes.ts';
import { Money, wholeNumber } from '../numbers.ts';
import { Statement } from '../statements.ts';
import { Transaction } from '../transactions.ts';

const exampleControl = { transactions: 1, transactions_sum: '76.54', statements: 0 };

/** What the sender knows of a line: a line that holds anything else is refused (behaviour 21.1.5). */
export const BookControl = z
  .object({
    transactions: field(
      wholeNumber(0, 2 * LIMITS.transactions),
      'How many transactions the line has, closed history included. A repeated `transaction_id` counts once.',
      1,
    ).optional(),
    transactions_sum: field(
      Money,
      'The sum of their amounts, whatever their types, a number or a decimal string.',
      '76.54',
    ).optional(),
    statements: field(
      wholeNumber(0, LIMITS.statements),
      'How many statements the line has. A repeated `statement_id` counts once.',
      0,
    ).optional(),
    statements_gross: field(
      Money,
      'The sum of their `gross_amount`s, in the unit in which you send them.',
      '112.07',
    ).optional(),
  })
  .meta({
    id: 'BookControl',
    description: 'What you expect of this line, counted by you. A line that holds anything else is refused.',
    examples: [exampleControl],
  });
export type BookControl = z.infer<typeof BookControl>;

const exampleTransaction = {
  transaction_id: 'T-20260405-77',
  transaction_date: '2026-04-05',
  type: 'CHARGE' as const,
  amount: 76.54,
  reason: 'IMPORTED_CHARGE',
};

/** One line of a book (behaviour 21.1). */
export const BookLine = z
  .object({
    account: field(
      AccountPayload,
      'The account, as stage takes it. Its history may be in it or beside it, each part in one place only.',
      {
        import_supplier: 'NORTHWIND-2026',
        external_account_number: 'NW-0001482',
        account_type: 'DOMESTIC',
        unknown_occupier: true,
        transfer_balance: '-48.20',
      },
    ).optional(),
    external_account_number: ExternalAccountNumber.optional(),
    notes: field(list(Note, LIMITS.notes), `The notes, up to ${limitText(LIMITS.notes)}, as in the notes import.`, [
      { body: 'Customer asked for a paper bill.', created_at: '2025-11-20T10:15:00Z' },
    ]).optional(),
    transactions: field(
      list(Transaction, LIMITS.transactions),
      `The transactions, up to ${limitText(LIMITS.transactions)}, as in the transactions import.`,
      [exampleTransaction],
    ).optional(),
    statements: field(
      list(Statement, LIMITS.statements),
      `The statements that you have issued, up to ${limitText(LIMITS.statements)}, as in the statements import.`,
      [
        {
          bill_period_from_date: '2026-01-01',
          bill_period_to_date: '2026-01-31',
          statement_id: 'ST-2026-01-0001482',
          issued_date: '2026-02-03',
          number: '1482-12',
          gross_amount: 112.07,
        },
      ],
    ).optional(),
    payment_instruction: AccountPaymentInstruction.optional(),
    control: BookControl.optional(),
  })
  .meta({
    id: 'BookLine',
    description:
      'One line of a book: an account with its history or, without `account`, the history of an account that exists, which `external_account_number` names.',
    examples: [{ external_account_number: 'NW-0001482', transactions: [exampleTransaction], control: exampleControl }],
  });
export type BookLine = z.infer<typeof BookLine>;
