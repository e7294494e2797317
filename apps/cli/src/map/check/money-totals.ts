import type { DatabaseSync } from 'node:sqlite';
import { sumColumns } from '../../convert/column-sums.ts';
import { quotedName, quotedText } from '../../extract/sql-names.ts';
import type { Relation } from '../../mapping/relations.ts';
import { AmountSum, type SumOfAmounts } from '../../values/amount-sum.ts';
import { writeMoney } from '../../values/decimal.ts';
import { type ColumnFacts, type TableFacts, telling } from '../survey-values.ts';

/** The exact sum of some amounts. */
export interface MoneyTotal {
  /** `transactions PAYMENT`, or the column of a file. */
  of: string;
  amounts: number;
  sum: string;
  /** Values that are not empty, and cannot be read as amounts. */
  unreadable: number;
  /** Amounts of rows that another row says word for word, and the sum without them. */
  repeated: number;
  once: string;
}

/** Above zero it is the customer's money; below, what the customer owes. */
const BALANCE = 'transfer_balance';

/** The columns of views that hold money, and by what they are told apart. */
const OF_VIEWS: readonly { view: string; column: string; by?: string }[] = [
  { view: 'accounts', column: BALANCE },
  { view: 'accounts', column: 'last_statement_balance' },
  { view: 'transactions', column: 'amount', by: 'type' },
  { view: 'historical_transactions', column: 'amount', by: 'type' },
  { view: 'line_items', column: 'net_amount' },
  { view: 'tax_items', column: 'amount' },
  { view: 'statements', column: 'gross_amount' },
];

/** What the views add up to, transactions by their types. */
export function totalsOfViews(database: DatabaseSync, relations: readonly Relation[]): MoneyTotal[] {
  return OF_VIEWS.flatMap(({ view, column, by }) => {
    const relation = relations.find(({ name, columns }) => name === view && columns.includes(column));
    if (relation === undefined) return [];
    const group = by !== undefined && relation.columns.includes(by) ? quotedName(by) : quotedText('');
    const rows = `SELECT ${group} AS word, ${quotedName(column)} AS amount FROM ${quotedName(relation.table)}`;
    const groups = new Map<string, AmountSum>();
    const add = (name: string, amount: string) => {
      const sum = groups.get(name) ?? new AmountSum();
      groups.set(name, sum);
      sum.add(amount);
    };
    for (const { word, amount } of database.prepare(rows).iterate()) {
      const text = amount === null ? '' : String(amount);
      add([view, by === undefined ? column : String(word ?? 'without a type')].join(' '), text);
      if (column === BALANCE && /[1-9]/.test(text))
        add(text.startsWith('-') ? 'balances in debit' : 'balances in credit', text);
    }
    return [...groups].map(([name, sum]) => totalOf(name, sum.total));
  });
}

/** What the columns of the files add up to that look like money: the two sides should tell of the same pounds. */
export function totalsOfFiles(database: DatabaseSync, tables: readonly TableFacts[]): MoneyTotal[] {
  return tables.flatMap(({ name, columns }) => {
    const money = columns.filter(isMoney).map((column) => column.name);
    if (money.length === 0) return [];
    const table = { name, columns: columns.map((column) => column.name) };
    return sumColumns(database, table, money).columns.map((sum) => totalOf(`${name}.${sum.column}`, sum));
  });
}

const TWO_DECIMALS = /[.,]\d{2}\D*$/;

function isMoney({ survey, values }: ColumnFacts): boolean {
  const least = telling(survey) * 0.9;
  return (
    telling(survey) > 0 &&
    survey.dates.length === 0 &&
    survey.amounts.length >= least &&
    values.filter((value) => TWO_DECIMALS.test(value)).length >= least
  );
}

function totalOf(of: string, { sum, once, amounts, unreadable, repeated }: SumOfAmounts): MoneyTotal {
  return { of, amounts, sum: writeMoney(sum), unreadable, repeated, once: writeMoney(once) };
}
