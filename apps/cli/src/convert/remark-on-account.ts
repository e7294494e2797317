import { doubtOfBalance } from './doubt-of-balance.ts';
import type { Fields, Joined } from './join-rows.ts';
import { HISTORICAL } from './kinds.ts';
import type { Row } from './relations.ts';
import type { Remarks } from './suspicions.ts';

const IS_BILLED =
  'is not after the last_billed_to_date of its account: the transaction will be moved to the day after it, unless it is one of historical_transactions';

const IS_OPEN =
  'has historical_transactions, and no last_billed_to_date: its open statement period begins on the day on which it is created, not on the day after the last bill, earlier transactions are moved to that day, and historical_transactions may have any date up to today. Give the last day that was billed';

/** Remarks what the service does with an account that is written, and nobody may expect. */
export function remarkOnAccount(
  { account, row: own, transactions }: { account: Fields; row: Row; transactions: readonly Joined[] },
  remarks: Remarks,
): void {
  const add = (row: Row, field: string, sentence: string) => {
    const { list } = row.relation.columns;
    const column = list.find(({ path }) => path?.join('.') === field) ?? list[0];
    remarks.add({ ...row, column: column?.header ?? field }, sentence);
  };
  const doubt = doubtOfBalance(account, { hasTransactions: transactions.length > 0 });
  if (doubt !== undefined) add(own, 'transfer_balance', doubt);
  const billedTo = account.last_billed_to_date;
  if (billedTo === undefined && hasClosedHistory(account)) add(own, 'last_billed_to_date', IS_OPEN);
  if (typeof billedTo !== 'string') return;
  for (const { row, value } of transactions) {
    if (String(value.transaction_date) <= billedTo) add(row.row, 'transaction_date', IS_BILLED);
  }
}

/** In either spelling (behaviour 4.17.5). */
function hasClosedHistory({ [HISTORICAL]: closed, ledgers }: Fields): boolean {
  const all = Array.isArray(ledgers) ? (ledgers as Fields[]) : [];
  return [closed, ...all.map((ledger) => ledger.historical_statement_transactions)].some(
    (list) => Array.isArray(list) && list.length > 0,
  );
}
