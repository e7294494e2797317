import { historyOfAccount, type Statement, type Transaction, type TransactionType } from '@causeway/contracts';
import { exact, exactText } from '@causeway/rules';
import type { AccountLine, HistoryLine } from '../reader/checked-line.ts';

/** What a line brings, counted and added up exactly: of what it repeats, the first is counted. */
export interface LineFigures {
  notes: number;
  transactions: number;
  /** The sum of the amounts as they were sent, whatever their types. */
  transactions_sum: string;
  by_type: Partial<Record<TransactionType, { count: number; amount: string }>>;
  statements: number;
  /** In the unit in which they were sent; one without a gross amount adds nothing. */
  statements_gross: string;
}

/** The figures of a line that was read (behaviour 21.1.5). */
export function figuresOfLine(line: AccountLine | HistoryLine): LineFigures {
  const { notes, statements } = historyOf(line);
  const transactions = transactionsOf(line);
  const bills = firstOfEach(statements, ({ statement_id }) => statement_id);
  return {
    notes: notes.length,
    transactions: transactions.length,
    transactions_sum: sumOf(transactions.map(({ amount }) => amount)),
    by_type: byType(transactions),
    statements: bills.length,
    statements_gross: sumOf(bills.flatMap(({ gross_amount }) => gross_amount ?? [])),
  };
}

/** The transactions of a line, closed history included; of those with one id, the first. */
export function transactionsOf(line: AccountLine | HistoryLine): Transaction[] {
  const { transactions, historical_transactions } = historyOf(line);
  return firstOfEach([...historical_transactions, ...transactions], ({ transaction_id }) => transaction_id);
}

function historyOf(line: AccountLine | HistoryLine) {
  if (line.kind === 'account') return historyOfAccount(line.account.request);
  const { notes, transactions, statements } = line;
  return historyOfAccount({
    notes: notes?.request.notes,
    transactions: transactions?.request.transactions,
    statements: statements?.request.statements,
  });
}

function firstOfEach<Item extends Transaction | Statement>(items: Item[], idOf: (item: Item) => string): Item[] {
  const first = new Map<string, Item>();
  for (const item of items) {
    const id = idOf(item);
    if (!first.has(id)) first.set(id, item);
  }
  return [...first.values()];
}

function byType(transactions: Transaction[]): LineFigures['by_type'] {
  const types = Map.groupBy(transactions, ({ type }) => type);
  return Object.fromEntries(
    [...types].map(([type, some]) => [type, { count: some.length, amount: sumOf(some.map(({ amount }) => amount)) }]),
  );
}

/** Of amounts that were accepted, each of which is a decimal number. */
function sumOf(amounts: readonly (number | string)[]): string {
  return exactText(amounts.reduce((sum, amount) => sum + (exact(amount) ?? 0n), 0n));
}
