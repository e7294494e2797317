import { type AccountFigures, historyOfAccount } from '@causeway/contracts';
import { exact, exactText } from '@causeway/rules';
import { counted, grouped } from '../terminal/numbers.ts';

/** What was sent, what of it repeats something sent before it, and what the service says that it has stored. */
export interface Money {
  transactions: bigint;
  transactionsStored: bigint;
  /** Of `transactions`: sent more than once in one list, and stored once. */
  transactionsRepeated: bigint;
  /** How many transactions these are. */
  repeated: number;
  /** What accounts had to which transactions were added without looking. */
  transactionsBefore: bigint;
  statements: number;
  statementsStored: number;
  /** Accounts that were there before: what of the history that they carry is stored is not known. */
  accountsBefore: number;
  /** Transactions of zero that were left out. */
  omitted: number;
}

export const NO_MONEY: Money = {
  transactions: 0n,
  transactionsStored: 0n,
  transactionsRepeated: 0n,
  repeated: 0,
  transactionsBefore: 0n,
  statements: 0,
  statementsStored: 0,
  accountsBefore: 0,
  omitted: 0,
};

export function plus(one: Money, other: Money): Money {
  return {
    transactions: one.transactions + other.transactions,
    transactionsStored: one.transactionsStored + other.transactionsStored,
    transactionsRepeated: one.transactionsRepeated + other.transactionsRepeated,
    repeated: one.repeated + other.repeated,
    transactionsBefore: one.transactionsBefore + other.transactionsBefore,
    statements: one.statements + other.statements,
    statementsStored: one.statementsStored + other.statementsStored,
    accountsBefore: one.accountsBefore + other.accountsBefore,
    omitted: one.omitted + other.omitted,
  };
}

type Fields = Record<string, unknown>;

/** Whether an account carries transactions or statements. */
export function carriesMoney(account: Fields): boolean {
  const { historical_transactions, transactions, statements } = historyOfAccount(account);
  return historical_transactions.length + transactions.length + statements.length > 0;
}

/** Of the history that an account carries. `figures` are those of the account once it was created, and of nothing else. */
export function carriedMoney(account: Fields, figures: AccountFigures): Money {
  const { historical_transactions, transactions, statements } = historyOfAccount(account);
  return {
    ...NO_MONEY,
    ...sentMoney([...historical_transactions, ...transactions]),
    transactionsStored: exact(figures.transactions.sum) ?? 0n,
    statements: idsOf(statements),
    statementsStored: figures.statements.count,
  };
}

interface Import {
  sent: Fields;
  answer: unknown;
  /** False: the service was told to add every transaction, repeated ones too. */
  checksRepeats: boolean;
  /** The answer is that of an earlier call: nothing was added now. */
  isKept: boolean;
  /** Where it does not look for repeats, of an account that was there. */
  before: AccountFigures | undefined;
}

/** Of one import: the answer has every transaction with its amount as it is stored, and every statement. */
export function importedMoney(name: string, { sent, answer, checksRepeats, isKept, before }: Import): Money {
  if (name === 'transactions') {
    const added = listOf(Object(answer).results).map((result) => Object(result).transaction_data);
    if (!checksRepeats) {
      const transactions = sumOf(listOf(sent.transactions));
      if (isKept) return { ...NO_MONEY, transactions, transactionsRepeated: transactions, repeated: added.length };
      const transactionsBefore = exact(before?.transactions.sum) ?? 0n;
      return { ...NO_MONEY, transactions, transactionsStored: sumOf(added), transactionsBefore };
    }
    return { ...NO_MONEY, ...sentMoney(listOf(sent.transactions)), transactionsStored: sumOf(firstOfEach(added)) };
  }
  if (name !== 'statements') return NO_MONEY;
  const stored = Array.isArray(answer) ? answer : listOf(Object(answer).statements);
  return { ...NO_MONEY, statements: idsOf(listOf(sent.statements)), statementsStored: idsOf(stored) };
}

/** A sentence if what is stored is not what was sent. */
export function differenceIn(money: Money): string | undefined {
  const { transactions, transactionsStored, transactionsRepeated, statements, statementsStored } = money;
  if (transactions - transactionsRepeated !== transactionsStored) {
    return `Transactions of ${exactText(transactions - transactionsRepeated)} were sent, and of ${exactText(transactionsStored)} stored.`;
  }
  if (statements === statementsStored) return undefined;
  return `${statements} statements were sent, and ${statementsStored} stored.`;
}

const NOT_COUNTED = 'not counted: the history carried by';

/** What was sent, and what the service has stored of it, on one line. */
export function moneyLine(money: Money): string {
  const { transactions, transactionsStored, transactionsRepeated, repeated } = money;
  const { transactionsBefore, statementsStored, accountsBefore, omitted } = money;
  const isEqual = differenceIn(money) === undefined;
  const stored = `${isEqual ? '=' : 'BUT'} ${grouped(exactText(transactionsStored))} stored`;
  const again =
    repeated === 0
      ? ''
      : ` + ${grouped(exactText(transactionsRepeated))} of ${counted(repeated, 'repeated transaction')}, not added again`;
  const onTop =
    transactionsBefore === 0n ? '' : `, on top of ${grouped(exactText(transactionsBefore))} that accounts had before`;
  const left =
    accountsBefore === 0 ? '' : `   ${NOT_COUNTED} ${counted(accountsBefore, 'account')} that existed before`;
  const zeros = omitted === 0 ? '' : `   ${counted(omitted, 'transaction')} of zero left out`;
  return `transactions ${grouped(exactText(transactions))} sent ${stored}${onTop}${again}   statements ${grouped(statementsStored)}${left}${zeros}`;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function sentMoney(transactions: readonly unknown[]) {
  const first = firstOfEach(transactions);
  const sum = sumOf(transactions);
  return {
    transactions: sum,
    transactionsRepeated: sum - sumOf(first),
    repeated: transactions.length - first.length,
  };
}

/** Of the transactions of one id, the first: the others are not added again. */
function firstOfEach(transactions: readonly unknown[]): unknown[] {
  const ids = new Set<unknown>();
  return transactions.filter((one) => {
    const { transaction_id: id } = Object(one);
    return !ids.has(id) && ids.add(id);
  });
}

function sumOf(transactions: readonly unknown[]): bigint {
  return transactions.reduce<bigint>((sum, one) => sum + (exact(Object(one).amount) ?? 0n), 0n);
}

const idsOf = (statements: readonly unknown[]) => new Set(statements.map((one) => Object(one).statement_id)).size;
