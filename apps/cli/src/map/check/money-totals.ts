import type { DatabaseSync } from 'node:sqlite';
import { standsBelowATable } from '../../convert/suspicions.ts';
import { quotedName, quotedText } from '../../extract/sql-names.ts';
import type { Relation } from '../../mapping/relations.ts';
import { type AmountStyle, addDecimals, type Decimal, readAmount, writeMoney } from '../../values/decimal.ts';

import { type ColumnFacts, type TableFacts, telling } from '../survey-values.ts';

/** The exact sum of some amounts. */
export interface MoneyTotal {
  /** `transactions PAYMENT`, or the column of a file. */
  of: string;
  amounts: number;
  sum: string;
  /** Values that are not empty, and cannot be read as amounts. */
  unreadable: number;
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
    const groups = new Map<string, Adding>();
    const add = (name: string, amount: string) => {
      const adding = groups.get(name) ?? new Adding(name, {});
      groups.set(name, adding);
      adding.add(amount);
    };
    for (const { word, amount } of database.prepare(rows).iterate()) {
      const text = amount === null ? '' : String(amount);
      add([view, by === undefined ? column : String(word ?? 'without a type')].join(' '), text);
      if (column === BALANCE && /[1-9]/.test(text))
        add(text.startsWith('-') ? 'balances in debit' : 'balances in credit', text);
    }
    return [...groups.values()].map((adding) => adding.total);
  });
}

/**
 * What the columns of the files add up to that look like money: the two sides should tell of the same pounds. A row that
 * begins with `Total` has them already.
 */
export function totalsOfFiles(database: DatabaseSync, tables: readonly TableFacts[]): MoneyTotal[] {
  return tables.flatMap(({ name, columns }) => {
    const money = columns
      .filter(isMoney)
      .map((column) => ({ column, adding: new Adding(`${name}.${column.name}`, styleOf(column)) }));
    if (money.length === 0) return [];
    const rows = database.prepare(`SELECT * FROM ${quotedName(name)} WHERE _fault IS NULL`);
    for (const row of rows.iterate()) {
      const first = columns.find((column) => String(row[column.name] ?? '').trim() !== '');
      const isTotal = first !== undefined && standsBelowATable(String(row[first.name]));
      if (!isTotal) for (const { column, adding } of money) adding.add(String(row[column.name] ?? ''));
    }
    return money.map(({ adding }) => adding.total);
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

/** CR counts as more, DR as less. */
function styleOf({ survey }: ColumnFacts): AmountStyle {
  const hasComma = survey.amounts.some(({ sign }) => sign === 'comma');
  return { decimalSign: hasComma ? 'comma' : 'point', credit: 'positive' };
}

class Adding {
  readonly #of: string;
  readonly #style: AmountStyle;
  #sum: Decimal = { units: 0n, places: 2 };
  #amounts = 0;
  #unreadable = 0;

  constructor(of: string, style: AmountStyle) {
    this.#of = of;
    this.#style = style;
  }

  add(text: string): void {
    if (text.trim() === '') return;
    const { value } = readAmount(text, this.#style);
    if (value === undefined) this.#unreadable += 1;
    else {
      this.#amounts += 1;
      this.#sum = addDecimals(this.#sum, value);
    }
  }

  get total(): MoneyTotal {
    return { of: this.#of, amounts: this.#amounts, sum: writeMoney(this.#sum), unreadable: this.#unreadable };
  }
}
