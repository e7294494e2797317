import { sentHistory } from '@causeway/contracts';
import { compareDecimals, plainDecimal } from '../values/decimal.ts';
import type { Fields } from './join-rows.ts';

const UNCHECKED =
  'has no last_statement_balance beside it: nothing compares it with the transactions. Lodge a manifest, which does';
const UNEXPLAINED =
  'differs from the last_statement_balance, and no transaction explains it: nothing checks it until transactions come. Send them, or correct it';

/** Why the service does not judge the `transfer_balance` of an account; undefined: it does, or it has none. */
export function doubtOfBalance(account: Fields, { hasTransactions }: { hasTransactions: boolean }): string | undefined {
  const { transfer_balance: balance, last_statement_balance: last, historical_transactions: closed, ledgers } = account;
  if (balance === undefined) return undefined;
  if ([last, closed, ledgers].every((field) => field === undefined)) return UNCHECKED;
  return !hasTransactions && isUnexplained(account) ? UNEXPLAINED : undefined;
}

/** The service does not judge the balance of an account without transactions (behaviour 4.17.12). */
function isUnexplained(account: Fields): boolean {
  const { transactions, historical_transactions: closed, last_statement_balance: last } = sentHistory(account);
  const [statement, balance] = [last, account.transfer_balance].map((amount) => plainDecimal(String(amount)));
  if (transactions.items.length + closed.items.length > 0 || statement === undefined || balance === undefined)
    return false;
  return compareDecimals(statement, balance) !== 0;
}
