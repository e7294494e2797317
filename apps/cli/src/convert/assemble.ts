import { unreadableIn } from '../mapping/unreadable.ts';
import type { AccountRows } from './accounts-in-order.ts';
import { type Fields, type Joined, joinRows } from './join-rows.ts';
import { ACCOUNT_NUMBER, KINDS, type Kind } from './kinds.ts';
import type { NearMisses } from './near-misses.ts';
import { putInto } from './put-into.ts';
import { type ReadRow, type RowReading, readRow } from './read-row.ts';
import { placeOf, type Row } from './relations.ts';
import { remarkOnAccount } from './remark-on-account.ts';
import { chargesApart, meterPointsApart } from './rows-apart.ts';
import type { Fault } from './store.ts';

/** What all accounts are put together by. */
export interface Assembling extends RowReading {
  supplier: string | undefined;
  historyOnly: boolean;
  /** Rows without an account are left out, and what nearly matches them is written. */
  leavesOutUnmatched: boolean;
  misses: NearMisses;
}

/** A line of the book; or, where a row of it has faults, all of them. */
export interface Assembled {
  line: object | undefined;
  isAccount: boolean;
  faults: { row: Row; fault: Fault }[];
}

/**
 * Puts the rows of an account together, whole or not at all (behaviour 25.2.6): a row whose fault no row shows alone, such
 * as a second row of the account, is found here.
 */
export function assemble({ number, rows }: AccountRows, by: Assembling): Assembled {
  const assembly = new Assembly(number, by);
  const read = rows.map((row) => readRow(row, by));
  for (const { row, faults } of read) for (const fault of faults) assembly.refuse(row, fault);
  for (const kind of KINDS)
    assembly.take(
      kind,
      read.filter(({ row }) => row.relation.kind === kind),
    );
  assembly.judge(rows);
  return assembly.end();
}

class Assembly {
  readonly #number: string;
  readonly #by: Assembling;
  #account: Fields | undefined;
  #accountRow: Row | undefined;
  #transactions: readonly Joined[] = [];
  #control: unknown;
  readonly #inAccount: Fields = {};
  readonly #beside: Fields = {};
  readonly #faults: { row: Row; fault: Fault }[] = [];

  constructor(number: string, by: Assembling) {
    this.#number = number;
    this.#by = by;
  }

  refuse(row: Row, fault: Fault): void {
    this.#faults.push({ row, fault });
  }

  /** All rows of one kind. */
  take(kind: Kind, rows: readonly ReadRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    if (kind.field === '') this.#takeAccount(first, rows.slice(1));
    else if (kind.into !== undefined) this.#putInto(kind, kind.into, rows);
    else {
      this.#refuseTwoPlaces(kind.field, first);
      if (kind.isSingle) this.#takeSingle(kind, rows);
      else this.#takeList(kind, rows);
    }
  }

  #takeAccount(first: ReadRow, others: readonly ReadRow[]): void {
    const { control, ...account } = first.value;
    const { supplier = account.import_supplier } = this.#by;
    if (account.import_supplier !== undefined && account.import_supplier !== supplier) {
      this.refuse(first.row, {
        column: 'import_supplier',
        path: 'import_supplier',
        detail: 'Is another one than --supplier.',
      });
    }
    this.#account = { import_supplier: supplier, ...account };
    this.#control = control;
    this.#accountRow = first.row;
    for (const { row } of others) this.#refuseSecond(row, first.row, 'row');
  }

  #refuseSecond(row: Row, first: Row, what: string): void {
    this.refuse(row, { detail: `The account has a ${what} already: ${placeOf(first)}.` });
  }

  /** One of the two would be lost. */
  #refuseTwoPlaces(field: string, { row }: ReadRow): void {
    if (this.#account?.[field] === undefined) return;
    this.refuse(row, { detail: `The row of the account has ${field} too. Give them in one place.` });
  }

  #putInto(kind: Kind, into: NonNullable<Kind['into']>, rows: readonly ReadRow[]): void {
    const all: Fields = { ...this.#account, ...this.#inAccount, ...this.#beside };
    const values = [kind.field, into.orField ?? ''].flatMap((field) => (all[field] as Fields[] | undefined) ?? []);
    for (const row of rows) {
      const fault = row.faults.length > 0 ? undefined : putInto(values, row, into);
      if (fault !== undefined) this.refuse(row.row, fault);
    }
  }

  /** One of each type. */
  #takeSingle({ field, fieldOfSeveral = field }: Kind, rows: readonly ReadRow[]): void {
    const types = new Map<unknown, Row>();
    for (const { row, value } of rows) {
      const first = types.get(value.type);
      if (first !== undefined && value.type !== undefined) this.#refuseSecond(row, first, 'row of this type');
      types.set(value.type, first ?? row);
    }
    const values = rows.map(({ value }) => value);
    if (values.length === 1) this.#beside[field] = values[0];
    else this.#beside[fieldOfSeveral] = values;
  }

  #takeList({ field, isInAccount }: Kind, rows: readonly ReadRow[]): void {
    const { joined, repeated } = joinRows(rows);
    for (const { row, first } of repeated) this.refuse(row.row, { detail: `Says the same as ${placeOf(first.row)}.` });
    const findApart = field === 'supply_addresses' ? meterPointsApart : chargesApart;
    for (const { row, detail } of findApart(joined)) this.refuse(row, { detail });
    if (field === 'transactions') this.#transactions = joined;
    (isInAccount ? this.#inAccount : this.#beside)[field] = joined.map(({ value }) => value);
  }

  /** What concerns all rows of the account. */
  judge(rows: readonly Row[]): void {
    const { historyOnly, leavesOutUnmatched, misses } = this.#by;
    if (this.#account !== undefined) {
      const [near] = leavesOutUnmatched ? [] : (misses.nearTo.get(this.#number) ?? []);
      const [first] = rows;
      if (near !== undefined && first !== undefined) this.refuse(first, { detail: NEARLY_THIS, near });
      return;
    }
    if (!isNumber(this.#number)) return;
    const [near] = misses.near.get(this.#number) ?? [];
    for (const row of rows) {
      if (historyOnly && !row.relation.kind.isInAccount) continue;
      this.refuse(row, { detail: historyOnly ? ONLY_HISTORY : NO_ACCOUNT, near });
    }
  }

  end(): Assembled {
    const isAccount = this.#account !== undefined;
    const head = isAccount ? { account: { ...this.#account, ...this.#inAccount } } : { [ACCOUNT_NUMBER]: this.#number };
    const control = this.#control === undefined ? {} : { control: this.#control };
    const line = this.#faults.length > 0 ? undefined : { ...head, ...this.#beside, ...control };
    if (line !== undefined && this.#accountRow !== undefined) {
      const account = { ...this.#account, ...this.#inAccount };
      remarkOnAccount({ account, row: this.#accountRow, transactions: this.#transactions }, this.#by.remarks);
    }
    return { line, isAccount, faults: this.#faults };
  }
}

const NEARLY_THIS =
  'Other rows name an account that is nearly this one, and may be its own: it is not written without them.';
const NO_ACCOUNT = 'The account has no row among the accounts. If it exists already, give --history-only.';
const ONLY_HISTORY = 'The account has no row among the accounts: only its history can be added.';

/** Rows without a number, or whose number could not be read, are of no account: each says so itself. */
export const isNumber = (number: string) => number !== '' && unreadableIn(number) === undefined;
