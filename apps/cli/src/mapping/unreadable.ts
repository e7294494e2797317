import type { SQLOutputValue } from 'node:sqlite';
import { openTemporaryDatabase } from '../book-files/temporary-database.ts';

/** A value that a function could not read. */
export interface Unreadable {
  function: string;
  /** What is wrong with it, in a sentence that does not repeat it. */
  detail: string;
  /** The value; a long one is cut. */
  argument: string;
}

/** A character that Unicode keeps out of texts: no file holds it by accident. */
export const MARK = '\u{FFFF}';
const TOKEN = new RegExp(`${MARK}(\\d+)${MARK}`);

/** What a function returns in place of a value that it cannot read: the row is refused when it gets to the book. */
export const tokenOf = (id: number) => `${MARK}${id}${MARK}`;

/** The row of `_unreadable` that a value comes from; undefined if everything in it was read. */
export function unreadableIn(text: string): number | undefined {
  const id = text.includes(MARK) ? TOKEN.exec(text)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
}

/** Keeps each unreadable value once, in a temporary file: a wrong format makes a whole column unreadable. */
export interface UnreadableValues {
  /** @returns its number, the same for the same value */
  remember(unreadable: Unreadable): number;
  all(): Iterable<Record<string, SQLOutputValue>>;
}

export function openUnreadableValues(): UnreadableValues {
  const database = openTemporaryDatabase(`
    CREATE TABLE unreadable (
      id INTEGER PRIMARY KEY, function TEXT, detail TEXT, argument TEXT, UNIQUE (argument, function, detail)
    );
  `);
  const remember = database.prepare(`
    INSERT INTO unreadable (function, detail, argument) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET id = id RETURNING id
  `);
  const all = database.prepare('SELECT id, function, detail, argument FROM unreadable ORDER BY id');
  return {
    remember: (one) => Number(remember.get(one.function, one.detail, one.argument)?.id),
    all: () => all.iterate(),
  };
}
