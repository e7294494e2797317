import { z } from 'zod';
import { either } from '../either.ts';
import { field, optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { IDENTIFIER_RULE } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { decimal, ReadingString, wholeNumber } from '../numbers.ts';
import { identifier, text } from '../text.ts';

const [ReadingNumber] = decimal({
  sign: 'not_negative',
  integerDigits: LIMITS.reading_integer_digits,
  decimalPlaces: LIMITS.reading_decimal_places,
  example: '12345.6',
}).options;

/** A meter reading: as a string it keeps its leading zeros, as a number it is the same without them (behaviour 2.2). */
const ReadingValue = either(ReadingString, ReadingNumber);

const registerId = (description: string) =>
  field(identifier(LIMITS.short_text), `${description} ${IDENTIFIER_RULE}`, '01');

/** A code of the industry: some write it as a text, some as a number. */
export function industryCode(description: string, ...examples: (string | number)[]) {
  const schema = either(text(LIMITS.short_text), wholeNumber(0, LIMITS.industry_code));
  return optional(schema, `${description} A text or a whole number.`, ...examples);
}

export const Register = z
  .object({
    register_id: registerId('The identifier of the register; unique within its meter.'),
    identifier: optional(text(LIMITS.short_text), "The industry's name of the register.", 'DAY'),
    number_of_digits: optional(
      wholeNumber(1, LIMITS.register_digits),
      `The number of digits before the decimal point, 1 to ${limitText(LIMITS.register_digits)}.`,
      5,
    ),
    tpr: industryCode('The time pattern regime of the register.', '00001'),
    is_settlement: optional(z.boolean(), 'Whether the register is used for settlement.', true),
    last_billed_to_date: optional(CalendarDate, 'The last day up to which the register was billed.', '2026-02-28'),
  })
  .meta({
    id: 'Register',
    description: 'A register of a meter.',
    examples: [{ register_id: '01', number_of_digits: 5 }],
  });
export type Register = z.infer<typeof Register>;

export const MeterReading = z
  .object({
    register_id: registerId(
      'The register that was read: one that the meter lists. Required if the meter lists registers.',
    ).optional(),
    reading_date: field(CalendarDate, 'The day of the reading.', '2026-02-28'),
    reading_value: field(
      ReadingValue,
      'The reading: a decimal number as a string, leading zeros allowed, or a number; at most seven decimals.',
      '04821.5',
      4821.5,
    ),
    reading_type: optional(text(LIMITS.short_text), 'How the reading was taken, in your own vocabulary.', 'CUSTOMER'),
    reading_quality: optional(text(LIMITS.short_text), 'How good the reading is, in your own vocabulary.', 'ACTUAL'),
    reading_source: optional(text(LIMITS.short_text), 'Where the reading came from, in your own vocabulary.', 'SMART'),
    billed: optional(z.boolean(), 'Whether the reading was billed.', true),
  })
  .meta({
    id: 'MeterReading',
    description: 'The reading of a register, or of a meter without registers, on a day.',
    examples: [
      { register_id: '01', reading_date: '2026-02-28', reading_value: '04821.5', reading_type: 'CUSTOMER' },
      { reading_date: '2026-02-28', reading_value: '2210' },
    ],
  });
export type MeterReading = z.infer<typeof MeterReading>;
