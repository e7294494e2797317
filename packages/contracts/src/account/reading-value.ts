import { either } from '../either.ts';
import { LIMITS } from '../limits.ts';
import { decimal, ReadingString } from '../numbers.ts';

const [ReadingNumber] = decimal({
  sign: 'not_negative',
  integerDigits: LIMITS.reading_integer_digits,
  decimalPlaces: LIMITS.reading_decimal_places,
  example: '12345.6',
}).options;

/** A meter reading: as a string it keeps its leading zeros, as a number it is the same without them (behaviour 2.2). */
export const ReadingValue = either(ReadingString, ReadingNumber);
