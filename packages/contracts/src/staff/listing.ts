import { field } from '../field.ts';
import { LIMITS } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';

/** The page size of a staff list. */
export const limit = field(
  wholeNumber(1, LIMITS.list),
  'The maximum number to return, 1 to 10,000. Default: 1,000.',
  100,
).optional();
