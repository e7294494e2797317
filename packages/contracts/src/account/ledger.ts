import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { documented, field } from '../field.ts';
import { LIMITS, limitText } from '../limits.ts';
import { Money } from '../numbers.ts';
import { Transaction } from '../transactions.ts';

export const exampleOpenTransaction = {
  transaction_id: 'T-20260405-77',
  transaction_date: '2026-04-05',
  type: 'CHARGE' as const,
  amount: 76.54,
  reason: 'IMPORTED_CHARGE',
};
const exampleHistoricalTransaction = {
  transaction_id: 'T-20260214-31',
  transaction_date: '2026-02-14',
  type: 'PAYMENT' as const,
  amount: 50,
  reference: 'NW 0001482',
  payment_type: 'DD_REGULAR_COLLECTION',
};

export const openTransactions = field(
  list(Transaction, LIMITS.transactions),
  `The transactions since the last statement, up to ${limitText(LIMITS.transactions)}, as in the transactions import. They are added when the account is created: one with a date outside the open statement period is moved to the nearest day inside, which a description on the transaction and a pinned note record.`,
  [exampleOpenTransaction],
);
export const historicalTransactions = field(
  list(Transaction, LIMITS.transactions),
  `Closed history: the transactions of statements that you have issued, up to ${limitText(LIMITS.transactions)}. They keep their dates, which must not be after \`last_billed_to_date\` (without it, not after today).`,
  [exampleHistoricalTransaction],
);
export const lastStatementBalance = field(
  Money,
  'The balance of the last statement: a number or a decimal string, at most two decimals; credit is positive, debt negative. With the transactions since then it adds up to `transfer_balance`.',
  '28.34',
);

/** The transactions of an account in another spelling (behaviour 4.17). */
export const Ledger = z
  .object({
    current_statement_transactions: openTransactions.optional(),
    historical_statement_transactions: historicalTransactions.optional(),
    last_statement_balance: lastStatementBalance.optional(),
  })
  .apply(
    documented,
    'Ledger',
    "Another spelling of the account's `transactions`, `historical_transactions` and `last_statement_balance`.",
  );
export type Ledger = z.infer<typeof Ledger>;
