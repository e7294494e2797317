import { exact, exactText } from '@causeway/rules';

/** What was sent, and what the service answers that it has stored. */
export interface Money {
  transactions: bigint;
  transactionsStored: bigint;
  statements: number;
  statementsStored: number;
}

export const NO_MONEY: Money = { transactions: 0n, transactionsStored: 0n, statements: 0, statementsStored: 0 };

export function plus(one: Money, other: Money): Money {
  return {
    transactions: one.transactions + other.transactions,
    transactionsStored: one.transactionsStored + other.transactionsStored,
    statements: one.statements + other.statements,
    statementsStored: one.statementsStored + other.statementsStored,
  };
}

type Fields = Record<string, unknown>;

/** Of the history that an account carries: it is stored with it, or not at all. */
export function carriedMoney(account: Fields): Money {
  const transactions = sumOf([...listOf(account.historical_transactions), ...listOf(account.transactions)]);
  const statements = idsOf(listOf(account.statements));
  return { transactions, transactionsStored: transactions, statements, statementsStored: statements };
}

/** Of one import: the answer has every transaction with its amount as it is stored, and every statement. */
export function importedMoney(name: string, { sent, answer }: { sent: Fields; answer: unknown }): Money {
  if (name === 'transactions') {
    const results = listOf(Object(answer).results).map((result) => Object(result).transaction_data);
    return { ...NO_MONEY, transactions: sumOf(listOf(sent.transactions)), transactionsStored: sumOf(results) };
  }
  if (name !== 'statements') return NO_MONEY;
  const stored = Array.isArray(answer) ? answer : listOf(Object(answer).statements);
  return { ...NO_MONEY, statements: idsOf(listOf(sent.statements)), statementsStored: idsOf(stored) };
}

/** A sentence if what is stored is not what was sent. */
export function differenceIn(money: Money): string | undefined {
  const { transactions, transactionsStored, statements, statementsStored } = money;
  if (transactions !== transactionsStored) {
    return `Transactions of ${exactText(transactions)} were sent, and of ${exactText(transactionsStored)} stored.`;
  }
  if (statements === statementsStored) return undefined;
  return `${statements} statements were sent, and ${statementsStored} stored.`;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** As many as are in both lists: what a line repeats is in the answer as often. */
function sumOf(transactions: readonly unknown[]): bigint {
  return transactions.reduce<bigint>((sum, transaction) => sum + (exact(Object(transaction).amount) ?? 0n), 0n);
}

const idsOf = (statements: readonly unknown[]) => new Set(statements.map((one) => Object(one).statement_id)).size;
