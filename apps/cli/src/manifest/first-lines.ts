import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { accountDigest } from '../book-files/account-digest.ts';
import { openTemporaryDatabase } from '../book-files/temporary-database.ts';

/** On which line each account was named first; in a temporary file, so that memory does not grow with the accounts. */
export class FirstLines {
  readonly #database: DatabaseSync;
  readonly #add: StatementSync;
  readonly #find: StatementSync;

  constructor() {
    this.#database = openTemporaryDatabase('CREATE TABLE first (account INTEGER PRIMARY KEY, line INTEGER NOT NULL);');
    this.#add = this.#database.prepare('INSERT OR IGNORE INTO first (account, line) VALUES (?, ?)');
    this.#add.setReadBigInts(true);
    this.#find = this.#database.prepare('SELECT line FROM first WHERE account = ?');
  }

  /** Remembers the line of an account; if an earlier one named it, that line. */
  add(account: string, line: number): number | undefined {
    const digest = accountDigest(account);
    if (this.#add.run(digest, line).changes === 1n) return undefined;
    return Number(this.#find.get(digest)?.line);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
