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

/** What may follow the beginning in `startsWithAtMost`: anything, or nothing. */
export const MAY_FOLLOW = { anything: '\u{10FFFF}', nothing: '' } as const;

/** The same range, which a parameter closes: with MAY_FOLLOW.nothing it has only the text itself. */
export function startsWithAtMost<Name extends string>(
  text: Fragment,
  beginning: Fragment<Name>,
): Fragment<Name | 'may_follow'> {
  return fragment`${text} ~>=~ ${beginning} AND ${text} ~<=~ (${beginning} || ${'may_follow'}::text)`;
}
