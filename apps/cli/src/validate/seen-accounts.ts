import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openTemporaryDatabase } from '../book-files/temporary-database.ts';

/**
 * The accounts that earlier lines of the book name, by 64 bits of their digest: two accounts of 10 million share them
 * once in 370,000 books. They are kept in a temporary file.
 */
export class SeenAccounts {
  readonly #database: DatabaseSync;
  readonly #add: StatementSync;

  constructor() {
    this.#database = openTemporaryDatabase('CREATE TABLE seen (account INTEGER PRIMARY KEY);');
    this.#add = this.#database.prepare('INSERT OR IGNORE INTO seen (account) VALUES (?)');
    this.#add.setReadBigInts(true);
  }

  /** Remembers the accounts of a batch; returns the places of those that were seen before. 0 is no account. */
  add(accounts: BigInt64Array): number[] {
    const again: number[] = [];
    for (const [index, account] of accounts.entries()) {
      if (account !== 0n && this.#add.run(account).changes === 0n) again.push(index);
    }
    return again;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
