import type { DatabaseSync } from 'node:sqlite';

/** What is wrong with a row: in one of its cells, or with the row itself. */
export interface Fault {
  /** As the file writes it; undefined: the row as a whole. */
  column?: string | undefined;
  path?: string | undefined;
  detail: string;
  /** The cell's text, or its mask. */
  shown?: string | undefined;
  /** The number of an account that is nearly the one of the row. */
  near?: string | undefined;
}

/** Which row a fault is of. */
export interface FaultPlace {
  /** The number of its relation, which is told in that order. */
  relation: number;
  account: string | undefined;
  file: string;
  line: number | undefined;
}

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -32768;
  CREATE TABLE IF NOT EXISTS "causeway faults" (
    relation INTEGER, account TEXT, file TEXT, line INTEGER, column_name TEXT, path TEXT,
    detail TEXT, shown TEXT, near TEXT
  );
  CREATE TABLE IF NOT EXISTS "causeway accounts" (position INTEGER PRIMARY KEY, account TEXT NOT NULL UNIQUE);
  BEGIN;
`;

/** The rows of all files, in a temporary file of SQLite: memory holds a few of its pages, whatever the size. */
export interface Store {
  database: DatabaseSync;
  addFault(place: FaultPlace, fault: Fault): void;
  /** Closes it for another process; what is in it stays. */
  keep(): void;
  close(): void;
}

/** SQLite is loaded here alone: older releases of Node warn that it is experimental, which no other command should. */
export async function openStore(file: string): Promise<Store> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  const insert = database.prepare('INSERT INTO "causeway faults" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return {
    database,
    addFault({ relation, account, file: from, line }, { column, path, detail, shown, near }) {
      insert.run(
        ...[relation, account ?? null, from, line ?? null, column ?? null, path ?? null],
        ...[detail, shown ?? null, near ?? null],
      );
    },
    keep() {
      database.exec('COMMIT');
      database.close();
    },
    close: () => database.close(),
  };
}
