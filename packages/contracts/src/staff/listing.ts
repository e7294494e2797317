import { optional } from '../field.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';

/** The page size of a staff list. */
export const limit = optional(
  wholeNumber(1, LIMITS.list),
  `The maximum number to return, 1 to ${limitText(LIMITS.list)}. Default: ${limitText(LIMITS.list_default)}.`,
  100,
);
