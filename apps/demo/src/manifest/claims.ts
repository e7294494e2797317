import type { LineClaims, TypeFigures } from '@causeway/book';
import type { TransactionType } from '@causeway/contracts';
import type { SampleAccount } from '@causeway/realistic-books';
import { decimalOf, sumOf } from '@causeway/realistic-books';
import { expectedLineOf } from '../bulk/expected-line.ts';

/** What the book has of an account: what is stored plays no part in it. */
export function claimsOfAccount(account: SampleAccount): LineClaims {
  const { externalAccountNumber, notes, transactions, statements, byType, gross, balance } = expectedLineOf(account);
  return {
    external_account_number: externalAccountNumber,
    transfer_balance: decimalOf(balance),
    notes,
    transactions,
    transactions_sum: decimalOf(sumOf([...byType.values()])),
    by_type: typesOf(account, byType),
    statements,
    statements_gross: decimalOf(gross),
    payment_instruction: account.paymentInstruction !== undefined,
  };
}

function typesOf({ transactions }: SampleAccount, byType: ReadonlyMap<string, number>): TypeFigures {
  const types = [...byType].map(([type, amount]) => {
    const count = transactions.filter((transaction) => transaction.type === type).length;
    return [type as TransactionType, { count, amount: decimalOf(amount) }];
  });
  return Object.fromEntries(types);
}
