import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** What is wrong with a row: in one of its cells, or with the row itself. */
export interface Fault {
  /** As the file writes it; undefined: the row as a whole. */
  column?: string | undefined;
  path?: string | undefined;
  detail: string;
  /** The cell's text, or its mask. */
  shown?: string | undefined;
}

export interface RowPlace {
  /** The number of the file. */
  file: number;
  line: number;
}

/** A row with the account it belongs to. */
export interface StoredRow extends RowPlace {
  account: string;
  /** Of the kind, in the order of the line. */
  kind: number;
  /** Its value as JSON; null: it has faults. */
  json: string | null;
  /** The item of the list that the row adds, or the `control` of an account; null: neither. */
  item: string | null;
}

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -32768;
  CREATE TABLE items (account TEXT NOT NULL, kind INTEGER NOT NULL, file INTEGER, line INTEGER, json TEXT, item TEXT);
  CREATE TABLE accounts (account TEXT NOT NULL, file INTEGER, line INTEGER, json TEXT, control TEXT);
  CREATE TABLE faults (
    account TEXT, file INTEGER, line INTEGER, column_name TEXT, path TEXT, detail TEXT, shown TEXT
  );
  CREATE TABLE rejected (account TEXT PRIMARY KEY) WITHOUT ROWID;
  BEGIN;
`;

/** The rows of all files, in a temporary file of SQLite: memory holds a few of its pages, whatever the size. */
export interface Store {
  addRow(row: StoredRow): void;
  addFault(account: string | undefined, place: RowPlace, fault: Fault): void;
  database: DatabaseSync;
  /** Runs a statement that is prepared once. */
  prepared(text: string): StatementSync;
  close(): void;
}

/** SQLite is loaded here alone: older releases of Node warn that it is experimental, which no other command should. */
export async function openStore(file: string): Promise<Store> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  const statements = new Map<string, StatementSync>();
  const prepared = (text: string) => {
    const known = statements.get(text) ?? database.prepare(text);
    statements.set(text, known);
    return known;
  };
  const addAccount = database.prepare('INSERT INTO accounts VALUES (?, ?, ?, ?, ?)');
  const addItem = database.prepare('INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)');
  const addFault = database.prepare('INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)');
  return {
    database,
    prepared,
    addRow({ account, kind, file: from, line, json, item }) {
      if (kind === 0) addAccount.run(account, from, line, json, item);
      else addItem.run(account, kind, from, line, json, item);
    },
    addFault(account, { file: from, line }, { column, path, detail, shown }) {
      addFault.run(account ?? null, from, line, column ?? null, path ?? null, detail, shown ?? null);
    },
    close: () => database.close(),
  };
}
