import type { z } from 'zod';
import { optional } from './field.ts';
import { LIMITS, limitText } from './limits.ts';
import { wholeNumber } from './numbers.ts';

/** The most records that a page may have, where a `Link` header has the next one. */
export function pageLimit(records: string, example = 100) {
  return optional(
    wholeNumber(1, LIMITS.list),
    `The maximum number of ${records} to return, 1 to ${limitText(LIMITS.list)}. While there are more, a \`Link\` header has the next page.`,
    example,
  );
}

/** The most records of an audit trail. */
export function trailLimit(records: string) {
  return optional(
    wholeNumber(1, LIMITS.audit_trail),
    `The maximum number of ${records} to return, 1 to ${limitText(LIMITS.audit_trail)}, which is the default.`,
    100,
  );
}

/** What a list continues after: something of the last record of the page before. */
export function afterLast<Schema extends z.ZodType>(schema: Schema, what: string, example: z.input<Schema>) {
  return optional(schema, `The ${what} that you received; the list continues after it.`, example);
}
