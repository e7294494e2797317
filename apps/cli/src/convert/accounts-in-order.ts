import type { StatementSync } from 'node:sqlite';
import { quotedName } from '../extract/sql-names.ts';
import { unreadableIn } from '../mapping/unreadable.ts';
import type { Column } from './columns.ts';
import { accountIn, BLOB, COMPUTED, type Relation, type Row } from './relations.ts';
import type { Store } from './store.ts';

/** The rows of all relations that name one account, in the order of the relations. */
export interface AccountRows {
  /** Empty: of rows that name none. */
  number: string;
  rows: Row[];
}

/**
 * Numbers the accounts: in the order of their rows, then those that have other rows alone, by their numbers. Afterwards
 * `accountsInOrder` finds the rows of each.
 *
 * @returns how many have a row of their own
 */
export function numberAccounts({ database }: Store, relations: readonly Relation[]): number {
  for (const one of relations) {
    const table = quotedName(one.table);
    // An index of the expression itself would not serve a comparison with a column of texts.
    database.exec(`
      ALTER TABLE ${table} ADD COLUMN _account TEXT GENERATED ALWAYS AS (${accountIn(one)}) VIRTUAL;
      CREATE INDEX ${quotedName(`accounts of ${one.table}`)} ON ${table} (_account);
    `);
  }
  const insert = 'INSERT OR IGNORE INTO "causeway accounts" (account)';
  for (const one of relations.filter(({ kind }) => kind.name === 'accounts')) {
    database.exec(`${insert} SELECT _account FROM ${quotedName(one.table)} WHERE _account <> '' ORDER BY rowid`);
  }
  const { n: accounts } = database.prepare('SELECT count(*) AS n FROM "causeway accounts"').get() as { n: number };
  const all = relations.map((one) => `SELECT _account AS account FROM ${quotedName(one.table)}`);
  if (all.length > 0) database.exec(`${insert} SELECT account FROM (${all.join(' UNION ')}) ORDER BY account`);
  return accounts;
}

type Cell = string | number | null;

/** Goes through all accounts once: each relation is read by its index, in the order of the accounts. */
export function* accountsInOrder({ database }: Store, relations: readonly Relation[]): Generator<AccountRows> {
  const cursors = relations.map(
    (relation) => new Cursor(arraysOf(database.prepare(rowsByPosition(relation))), relation),
  );
  const accounts = database.prepare('SELECT position, account FROM "causeway accounts" ORDER BY position').iterate();
  for (const { position, account } of accounts) {
    const number = String(account);
    const readable = unreadableIn(number) === undefined ? number : '';
    const rows = cursors.flatMap((cursor) => cursor.rowsAt(Number(position), readable));
    yield { number, rows };
  }
}

function rowsByPosition(relation: Relation): string {
  // Named by letters: JavaScript has an order of its own among names such as 1.
  const cells = relation.columns.list.map((column, index) => `${cellOf(column, relation)} AS c${index}`);
  return `
    SELECT n.position, r._file AS file, r._line AS line, r._fault AS fault, ${cells.join(', ')}
    FROM "causeway accounts" n CROSS JOIN ${quotedName(relation.table)} r ON r._account = n.account
    ORDER BY n.position, r.rowid
  `;
}

/** A number that SQLite has computed is marked: JavaScript sees a number that may have been exact. */
function cellOf({ header, kind }: Column, { isMapped }: Relation): string {
  const cell = `r.${quotedName(header)}`;
  if (isMapped !== true) return cell;
  const whole = kind === 'decimal' ? `'${COMPUTED}' || ${cell}` : `CAST(${cell} AS TEXT)`;
  return `CASE typeof(${cell}) WHEN 'integer' THEN ${whole} WHEN 'real' THEN '${COMPUTED}' || ${cell} WHEN 'blob' THEN '${BLOB}' ELSE ${cell} END`;
}

/** The rows of a statement as arrays, which is faster; older releases of Node have objects alone. */
function* arraysOf(statement: StatementSync): Generator<Cell[]> {
  const hasArrays = 'setReturnArrays' in statement;
  if (hasArrays) statement.setReturnArrays(true);
  for (const row of statement.iterate()) {
    yield (hasArrays ? row : Object.values(row)) as Cell[];
  }
}

/** The rows of one relation, as far as they were asked for. */
class Cursor {
  readonly #rows: Iterator<Cell[]>;
  readonly #relation: Relation;
  #next: Cell[] | undefined;

  constructor(rows: Iterator<Cell[]>, relation: Relation) {
    this.#rows = rows;
    this.#relation = relation;
    this.#next = this.#read();
  }

  rowsAt(position: number, account: string): Row[] {
    const rows: Row[] = [];
    for (; this.#next?.[0] === position; this.#next = this.#read()) {
      rows.push({ ...this.#rowOf(this.#next), account });
    }
    return rows;
  }

  #read(): Cell[] | undefined {
    const { done, value } = this.#rows.next();
    return done ? undefined : value;
  }

  #rowOf([_position, file, line, fault, ...cells]: Cell[]): Omit<Row, 'account'> {
    return {
      relation: this.#relation,
      file: textOf(file) || this.#relation.file,
      line: typeof line === 'number' ? line : undefined,
      cells: cells.map(textOf),
      fault: textOf(fault) || undefined,
    };
  }
}

const textOf = (value: Cell | undefined) => (value === null || value === undefined ? '' : String(value));
