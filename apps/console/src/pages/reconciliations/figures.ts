import type { OutputOf } from '../../data/ask.ts';
import { money } from '../../format/money.ts';
import { count, counted } from '../../format/numbers.ts';
import { capitalised, words } from '../../format/words.ts';

export type Reconciliation = OutputOf<'dataImport.reconciliation'>;

const NAMES: Record<string, string> = {
  account: 'Account',
  accounts: 'Accounts',
  transfer_balance: 'Transfer balance',
  transactions: 'Transactions',
  transactions_sum: 'Transactions, sum',
  statements: 'Statements',
  statements_gross: 'Statements, gross',
  notes: 'Notes',
  payment_instruction: 'Payment instruction',
  payment_instructions: 'Payment instructions',
  fingerprint: 'Fingerprint of transactions',
};

/** Figures that are amounts; the others are counts, or words. */
const MONEY = /^transfer_balance$|_sum$|_gross$|\.amount$/;

/** What people call a figure: `by_type.CHARGE.amount` is `Charges, sum`. */
export function figureName(figure: string): string {
  const [, type, part] = /^by_type\.(\w+)\.(count|amount)$/.exec(figure) ?? [];
  if (type === undefined) return NAMES[figure] ?? figure;
  return `${capitalised(words(type.toLowerCase()))}s${part === 'amount' ? ', sum' : ''}`;
}

/** A value of a figure: money with its pence, counts with thousands, other words as they are. */
export function figureValue(figure: string, value: string | null): string {
  if (value === null) return '–';
  if (MONEY.test(figure)) return money(value);
  if (value === 'true' || value === 'false') return value === 'true' ? 'yes' : 'no';
  return /^-?\d{1,15}$/.test(value) ? count(Number(value)).replace('-', '−') : words(value.toLowerCase());
}

/** The same with its sign: what is stored minus what is claimed. */
export function figureDifference(figure: string, value: string): string {
  const text = figureValue(figure, value);
  return value.startsWith('-') || !/[1-9]/.test(value) ? text : `+${text}`;
}

/** Whether it is a part of another one: of the transactions those of one type. */
export function isPart(figure: string): boolean {
  return figure.startsWith('by_type.');
}

/** `36 differences in 20 accounts`: an account differs in one way, though in several figures. */
export function differencesOf({ differences, accounts }: Reconciliation): string {
  const different = Object.values(accounts ?? {}).reduce((sum, some) => sum + some, 0);
  return `${counted(differences ?? 0, 'difference')} in ${counted(different, 'account')}`;
}

/** Figures in the order in which people read them: a sum with its parts below it, a count before its amount. */
export function inOrder<Item>(items: readonly Item[], figureOf: (item: Item) => string): Item[] {
  return items.toSorted((one, other) => {
    const [first, second] = [figureOf(one), figureOf(other)];
    return rankOf(first) - rankOf(second) || figureName(first).localeCompare(figureName(second));
  });
}

const ORDER = Object.keys(NAMES);
const rankOf = (figure: string) => (isPart(figure) ? ORDER.indexOf('transactions_sum') + 0.5 : ORDER.indexOf(figure));
