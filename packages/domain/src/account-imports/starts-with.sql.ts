import { type Fragment, fragment, rawSql } from '@causeway/db';

/** No character comes after it. */
export const LAST_CHARACTER = rawSql("U&'\\+10FFFF'");

/**
 * Whether a text begins with another one, as a range of an index with `text_pattern_ops`. Not by LIKE: of a pattern that
 * is a parameter, PostgreSQL makes no range once it has planned the statement for good.
 */
export function startsWith<Name extends string>(text: Fragment, beginning: Fragment<Name>): Fragment<Name> {
  return fragment`${text} ~>=~ ${beginning} AND ${text} ~<~ (${beginning} || ${LAST_CHARACTER})`;
}
