import { quotedName } from '../extract/sql-names.ts';
import { addDecimals, compareDecimals, type Decimal, plainDecimal } from '../values/decimal.ts';
import { readDecimal } from './read-decimal.ts';
import { accountIn, type Relation } from './relations.ts';
import type { Store } from './store.ts';
import type { Remarks } from './suspicions.ts';

/** With more of them, account numbers without a digit are those of accounts. */
const MAX_WORDS = 3;

/**
 * Leaves out rows of accounts that are totals, though nobody knows their word: where a number would stand there is no
 * digit, and an amount is the sum of those of all other rows.
 */
export function leaveOutTotals({ database }: Store, relations: readonly Relation[], remarks: Remarks): void {
  for (const relation of relations) {
    if (relation.kind.name !== 'accounts' || relation.columns.isWhole) continue;
    const table = quotedName(relation.table);
    const isWord = `${accountIn(relation)} NOT GLOB '*[0-9]*'`;
    const words = database
      .prepare(`SELECT _rowid_ AS id, _file AS file, _line AS line FROM ${table} WHERE ${isWord}`)
      .all();
    for (const { id = 0, file, line } of words.length > MAX_WORDS ? [] : words) {
      const column = columnOfSum({ database }, relation, Number(id));
      if (column === undefined) continue;
      database.prepare(`DELETE FROM ${table} WHERE _rowid_ = ?`).run(id);
      const place = { file: String(file ?? relation.file), line: line === null ? undefined : Number(line), column };
      remarks.add(place, 'is the sum of all others: its row is a total, and left out');
    }
  }
}

/** The column in which a row has what all others add up to. */
function columnOfSum({ database }: Pick<Store, 'database'>, relation: Relation, id: number): string | undefined {
  const found = relation.columns.list.find(({ header, kind }, index) => {
    const decimals = relation.styles[index]?.decimals;
    if (kind !== 'decimal' || decimals === undefined) return false;
    const rows = database.prepare(
      `SELECT _rowid_ AS id, ${quotedName(header)} AS text FROM ${quotedName(relation.table)}`,
    );
    let [others, own, values]: [Decimal, Decimal | undefined, number] = [ZERO, undefined, 0];
    for (const row of rows.iterate()) {
      const { value } = readDecimal(String(row.text ?? '').trim(), decimals);
      const amount = typeof value === 'string' ? plainDecimal(value) : undefined;
      if (amount === undefined) continue;
      if (row.id === id) own = amount;
      else {
        others = addDecimals(others, amount);
        values += 1;
      }
    }
    return own !== undefined && values > 1 && own.units !== 0n && compareDecimals(own, others) === 0;
  });
  return found?.header;
}

const ZERO: Decimal = { units: 0n, places: 0 };
