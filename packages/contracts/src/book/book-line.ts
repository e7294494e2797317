import { z } from 'zod';
import { AccountPayload } from '../account/account-payload.ts';
import { instructionFields } from '../account/history.ts';
import { instructionRules } from '../account/history-rules.ts';
import { exampleOpenTransaction } from '../account/ledger.ts';
import { list } from '../bounded-list.ts';
import { documented, optional } from '../field.ts';
import { ExternalAccountNumber } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { Note } from '../notes.ts';
import { Money, wholeNumber } from '../numbers.ts';
import { withRules } from '../rules.ts';
import { exampleStatement, Statement } from '../statements.ts';
import { Transaction } from '../transactions.ts';

const exampleControl = { transactions: 2, transactions_sum: '104.88', statements: 1, statements_gross: '112.07' };

/** What the sender knows of a line: a line that holds anything else is refused (behaviour 21.1.5). */
export const BookControl = z
  .object({
    transactions: optional(
      wholeNumber(0, 2 * LIMITS.transactions),
      'How many transactions the line has, `historical_transactions` included. A repeated `transaction_id` counts once.',
      exampleControl.transactions,
    ),
    transactions_sum: optional(
      Money,
      'The sum of their amounts as they are sent, without a sign of their type: a charge of 76.54 and a payment of 28.34 ' +
        'are 104.88. `historical_transactions` are included. A number or a decimal string.',
      exampleControl.transactions_sum,
    ),
    statements: optional(
      wholeNumber(0, LIMITS.statements),
      'How many statements the line has. A repeated `statement_id` counts once.',
      exampleControl.statements,
    ),
    statements_gross: optional(
      Money,
      'The sum of their `gross_amount`s, in the unit in which you send them. A statement without one adds nothing.',
      exampleControl.statements_gross,
    ),
  })
  .apply(
    documented,
    'BookControl',
    'What you expect of this line, counted by you. A line that holds anything else is refused.',
  );
export type BookControl = z.infer<typeof BookControl>;

/** A household whose amounts add up: 28.34 was paid before the last statement, 76.54 charged since. */
const exampleLine = {
  account: {
    import_supplier: 'NORTHWIND-2026',
    external_account_number: 'NW-0001482',
    account_type: 'DOMESTIC' as const,
    customers: [{ given_name: 'Zoë', family_name: 'Hartley' }],
    last_billed_to_date: '2026-02-28',
    last_statement_balance: '28.34',
    transfer_balance: '-48.20',
    historical_transactions: [
      {
        transaction_id: 'T-20260214-31',
        transaction_date: '2026-02-14',
        type: 'PAYMENT' as const,
        amount: 28.34,
        payment_type: 'DD_REGULAR_COLLECTION' as const,
      },
    ],
  },
  transactions: [exampleOpenTransaction],
  statements: [exampleStatement],
  notes: [{ body: 'Customer asked for a paper bill.', created_at: '2025-11-20T10:15:00Z' }],
  control: exampleControl,
};

/** The payment instructions of a line, without the rest of it. */
export const InstructionsOfLine = withRules(z.object(instructionFields), ...instructionRules).meta({
  id: 'InstructionsOfLine',
  description: 'The payment instructions of a line, in one of two spellings.',
  examples: [{ payment_instruction: { vendor: 'STRIPE', reference: 'pm_1NqkLXJ2eZvKYlo2', type: 'CARD' } }],
});

/** One line of a book (behaviour 21.1). */
export const BookLine = z
  .object({
    account: optional(
      AccountPayload,
      'The account, as stage takes it. Its history may be in it or beside it, each part in one place only.',
      {
        import_supplier: 'NORTHWIND-2026',
        external_account_number: 'NW-0001482',
        account_type: 'DOMESTIC',
        unknown_occupier: true,
        transfer_balance: '-48.20',
      },
    ),
    external_account_number: ExternalAccountNumber.optional(),
    notes: optional(list(Note, LIMITS.notes), `The notes, up to ${limitText(LIMITS.notes)}, as in the notes import.`, [
      { body: 'Customer asked for a paper bill.', created_at: '2025-11-20T10:15:00Z' },
    ]),
    transactions: optional(
      list(Transaction, LIMITS.transactions),
      `The transactions, up to ${limitText(LIMITS.transactions)}, as in the transactions import.`,
      [exampleOpenTransaction],
    ),
    statements: optional(
      list(Statement, LIMITS.statements),
      `The statements that you have issued, up to ${limitText(LIMITS.statements)}, as in the statements import.`,
      [exampleStatement],
    ),
    ...instructionFields,
    control: BookControl.optional(),
  })
  .meta({
    id: 'BookLine',
    description:
      'One line of a book: an account with its history or, without `account`, the history of an account that exists, which `external_account_number` names.',
    examples: [
      exampleLine,
      {
        external_account_number: 'NW-0001483',
        transactions: [exampleOpenTransaction],
        control: { transactions: 1, transactions_sum: '76.54' },
      },
    ],
  });
