import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openTemporaryDatabase } from '../book-files/temporary-database.ts';
import type { LineOccupancy } from './batch.ts';

/** A line whose account shares meter points with others. */
export interface SharingLine {
  /** '' in a book of one file. */
  file: string;
  line: number;
  account: string;
  /** The paths of the shared meter points. */
  fields: Set<string>;
  /** The first of the other accounts. */
  others: Set<string>;
}

/** When an account has a meter point. */
interface Row extends Pick<SharingLine, 'file' | 'line' | 'account'> {
  point: string;
  field: string;
  since: string;
  until: string;
  isTold?: boolean;
}

const MAX_OTHERS = 3;

/**
 * The meter points of a book's accounts, to find those that are in two at the same time (behaviour 4.18.6). They are kept
 * in a temporary file, as 64 bits of their digests.
 */
export class SharedMeterPoints {
  readonly #database: DatabaseSync;
  readonly #add: StatementSync;

  constructor() {
    this.#database = openTemporaryDatabase(`
      CREATE TABLE had (point INTEGER, since TEXT, until TEXT, file TEXT, line INTEGER, account TEXT, field TEXT);
      CREATE TABLE shared (file TEXT, line INTEGER, account TEXT, field TEXT, other TEXT);
    `);
    this.#add = this.#database.prepare('INSERT INTO had VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  add(occupancies: readonly LineOccupancy[], file = ''): void {
    for (const { point, from, to, line, account, field } of occupancies) {
      this.#add.run(point, from, to, file, line, account, field);
    }
  }

  /** The lines that share one, by the names of their files and in their order. */
  *find(): Generator<SharingLine> {
    this.#compare();
    let last: SharingLine | undefined;
    for (const row of this.#rows('SELECT * FROM shared ORDER BY file, line')) {
      const { file, line, account, field, other } = row as unknown as Row & { other: string };
      if (last?.line !== line || last.file !== file) {
        if (last !== undefined) yield last;
        last = { file, line, account, fields: new Set(), others: new Set() };
      }
      last.fields.add(field);
      if (last.others.size < MAX_OTHERS) last.others.add(other);
    }
    if (last !== undefined) yield last;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /**
   * Of those that have a meter point since an earlier day, it is enough to know the one that ends last: all others that are
   * still there share it with that one, and were told then.
   */
  #compare(): void {
    const tell = this.#database.prepare('INSERT INTO shared VALUES (?, ?, ?, ?, ?)');
    const share = (one: Row, other: Row) => {
      if (!one.isTold) tell.run(one.file, one.line, one.account, one.field, other.account);
      one.isTold = true;
    };
    let last: Row | undefined;
    for (const each of this.#rows(IN_ORDER)) {
      const row = each as unknown as Row;
      if (last?.point !== row.point) last = undefined;
      if (last !== undefined && last.account !== row.account && row.since < last.until && last.since < row.until) {
        share(row, last);
        share(last, row);
      }
      if (last === undefined || row.until > last.until) last = row;
    }
  }

  #rows(query: string) {
    return this.#database.prepare(query).iterate();
  }
}

/** A digest is more than a number can hold. */
const IN_ORDER = `
  SELECT CAST(point AS TEXT) AS point, since, until, file, line, account, field
  FROM had
  ORDER BY had.point, since, file, line`;
