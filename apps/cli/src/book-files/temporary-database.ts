import { DatabaseSync } from 'node:sqlite';

/** A database in a temporary file, which goes with the process, and in 4 MB of memory. */
export function openTemporaryDatabase(schema: string): DatabaseSync {
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -4096;
    ${schema}
    BEGIN;
  `);
  return database;
}
