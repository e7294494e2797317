import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { either } from '../either.ts';
import { field, optional } from '../field.ts';
import { CalendarDate, UtcDatetime } from '../formats.ts';
import { IDENTIFIER_RULE } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { decimal, Quantity, ReadingString, wholeNumber } from '../numbers.ts';
import { identifier, text } from '../text.ts';

const [ReadingNumber] = decimal({
  sign: 'any',
  integerDigits: LIMITS.reading_integer_digits,
  decimalPlaces: LIMITS.reading_decimal_places,
  example: '12345.6',
}).options;

/** A meter reading: as a string it keeps its leading zeros, as a number it is the same without them (behaviour 2.2). */
const ReadingValue = either(ReadingString, ReadingNumber);

const registerId = (description: string) =>
  field(identifier(LIMITS.short_text), `${description} ${IDENTIFIER_RULE}`, '01');

const Multiplier = decimal({
  sign: 'not_negative',
  integerDigits: LIMITS.quantity_integer_digits,
  decimalPlaces: LIMITS.quantity_decimal_places,
  example: '0.1',
}).refine((value) => Number(value) > 0, { error: 'Must be greater than 0.', params: { code: 'min_value' } });

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
    direction: optional(
      z.enum(['IMPORT', 'EXPORT', 'BOTH']),
      'What the register counts: IMPORT, EXPORT, or BOTH, one less the other; only then a reading may be negative.',
      'IMPORT',
    ),
    unit: optional(text(LIMITS.short_text), 'The unit of the readings, in your own vocabulary.', 'kWh'),
    multiplier: optional(
      Multiplier,
      'By what the difference of two readings is multiplied to get the quantity in this unit; greater than 0.',
      '0.1',
    ),
  })
  .meta({
    id: 'Register',
    description: 'A register of a meter.',
    examples: [{ register_id: '01', number_of_digits: 5 }],
  });
export type Register = z.infer<typeof Register>;

const readRegister = registerId(
  'The register that was read: one that the meter lists. Required if the meter lists registers.',
).optional();

export const MeterReading = z
  .object({
    register_id: readRegister,
    reading_date: field(CalendarDate, 'The day of the reading.', '2026-02-28'),
    reading_at: optional(
      UtcDatetime,
      'The moment of the reading, in UTC: on its day, in whichever time zone. Readings keep their order.',
      '2026-02-28T23:30:00Z',
    ),
    reading_value: field(
      ReadingValue,
      'The reading: a decimal number as a string, leading zeros allowed, or a number; at most seven decimals. Negative only if its register counts in both directions.',
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

/** Consumption in intervals of equal length, such as the half hours of a day (behaviour 2.10). */
export const IntervalReading = z
  .object({
    register_id: readRegister,
    start: field(UtcDatetime, 'The beginning of the first interval, in UTC.', '2026-02-28T00:00:00Z'),
    minutes: field(
      wholeNumber(1, LIMITS.interval_minutes),
      `The length of each interval in minutes, 1 to ${limitText(LIMITS.interval_minutes)}.`,
      30,
    ),
    values: field(
      list(Quantity, LIMITS.long_list),
      `What was counted in each interval, one after the other without a gap, in the unit of the register; up to ${limitText(LIMITS.long_list)} numbers or decimal strings.`,
      [0.21, '0.198', 0.305],
    ),
    quality: optional(
      text(LIMITS.short_text),
      'How good the values are, in your own vocabulary; values of another quality are another item.',
      'ACTUAL',
    ),
  })
  .meta({
    id: 'IntervalReading',
    description: 'What a register, or a meter without registers, counted in intervals of equal length.',
    examples: [
      {
        register_id: '01',
        start: '2026-02-28T00:00:00Z',
        minutes: 30,
        values: [0.21, '0.198', 0.305],
        quality: 'ACTUAL',
      },
    ],
  });
