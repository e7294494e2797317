import { hash } from 'node:crypto';
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

/** 64 bits of the digest of a number: two accounts, or meter points, of 10 million share them once in 370,000 books. */
export function digestOfNumber(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigInt64LE();
}
