import { createHash } from 'node:crypto';
import type { SqlStatement } from './sql.ts';

/** The old form: $1, $2, ... and rows as the caller asserts them. */
export type Statement = SqlStatement<never, string>;

/** PostgreSQL cuts longer names; a digest of the text comes after the given part. */
const NAME_LIMIT = 50;

/**
 * Names a SQL text, once per module. The text must be a constant, since every connection keeps it prepared. Two texts
 * never share a name, even where two files chose the same one.
 *
 * @param name readable, `verb_noun`, at most 50 characters; shows in the database's own statistics and errors
 */
export function statement(name: string, text: string): Statement {
  if (name.length > NAME_LIMIT) throw new RangeError(`The statement's name is longer than ${NAME_LIMIT}: ${name}`);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return Object.freeze({ name: `${name}_${digest}`, text, parameters: [], columns: {} });
}
