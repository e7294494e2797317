import { z } from 'zod';
import { list, optionalList } from '../bounded-list.ts';
import { optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { itemsAreUnique } from '../repeats.ts';
import { type Rule, startsBeforeItEnds, type Violation, withRules } from '../rules.ts';
import { text } from '../text.ts';
import { PrepayDetails } from './prepay-details.ts';
import { IntervalReading, MeterReading, Register } from './register.ts';

type Readings = 'transfer_readings' | 'reading_history';

interface WithRegisters {
  registers?: Register[] | undefined;
}

const registerIdsAreUnique = itemsAreUnique('registers', 'register_id', {
  code: 'meter_with_duplicate_register_ids',
  detail: 'Must be unique within the meter.',
});

/** A reading of a meter with registers names one of them; a gas meter usually has none. */
function readingsNameRegisters<Field extends Readings | 'interval_readings'>(
  readings: Field,
): Rule<WithRegisters & { [Key in Field]?: { register_id?: string | undefined }[] | undefined }> {
  return {
    reads: ['registers.*.register_id', `${readings}.*.register_id`],
    check: (meter) => {
      const listed = meter[readings];
      if (listed === undefined) return undefined;
      const known = new Set(meter.registers?.map((register) => register.register_id));
      const violations: Violation[] = [];
      for (const [index, { register_id }] of listed.entries()) {
        const fault = faultOf(register_id, known);
        if (fault !== undefined) violations.push({ ...fault, path: [readings, index, 'register_id'] });
        if (violations.length === LIMITS.counted_errors) break;
      }
      return violations;
    },
  };
}

function faultOf(registerId: string | undefined, known: ReadonlySet<string>): Omit<Violation, 'path'> | undefined {
  if (registerId === undefined) {
    const detail = 'This field is required because the meter lists registers.';
    return known.size === 0 ? undefined : { code: 'required', detail };
  }
  const detail = 'Must be the register_id of one of the registers of the meter.';
  return known.has(registerId) ? undefined : { code: 'reading_register_id_not_recognised', detail };
}

/** A reading is negative only where its register counts both ways, and its moment lies on its day somewhere. */
function readingsAreLikely<Field extends Readings>(
  readings: Field,
): Rule<WithRegisters & { [Key in Field]?: MeterReading[] | undefined }> {
  return {
    reads: [
      ...(['registers.*.register_id', 'registers.*.direction'] as const),
      ...([`${readings}.*.reading_value`, `${readings}.*.reading_date`, `${readings}.*.reading_at`] as const),
    ],
    check: (meter) => {
      const { registers = [], [readings]: list } = meter;
      const violations: Violation[] = [];
      if (list === undefined) return violations;
      const countsBothWays = (register_id: string | undefined) =>
        registers.some((register) => register.direction === 'BOTH' && idOf(register) === register_id);
      for (const [index, { register_id, reading_date, reading_at, reading_value }] of list.entries()) {
        if (isNegative(reading_value) && !countsBothWays(register_id)) {
          violations.push({ code: 'min_value', path: [readings, index, 'reading_value'], detail: NEGATIVE });
        }
        if (reading_at !== undefined && !isOnDay(reading_at, reading_date)) {
          violations.push({
            code: 'contradicts_another_field',
            path: [readings, index, 'reading_at'],
            detail: OTHER_DAY,
          });
        }
        if (violations.length >= LIMITS.counted_errors) break;
      }
      return violations;
    },
  };
}

const NEGATIVE = 'Must not be negative unless the direction of its register is BOTH.';
const OTHER_DAY = 'Must lie on the reading_date, which may be the day before or after in UTC.';
const DAY_MS = 86_400_000;

const idOf = ({ register_id }: Register): string | undefined => register_id;
const isNegative = (value: number | string) => (typeof value === 'number' ? value < 0 : value.startsWith('-'));

function isOnDay(moment: string, day: string): boolean {
  return Math.abs(Date.parse(moment.slice(0, day.length)) - Date.parse(day)) <= DAY_MS;
}

const exampleMeter = {
  meter_serial_number: '21L3948871',
  installed_on: '2021-05-17',
  registers: [{ register_id: '01', number_of_digits: 5 }],
  transfer_readings: [
    { register_id: '01', reading_date: '2026-02-28', reading_value: '04821.5', reading_type: 'CUSTOMER' },
  ],
};

/** A meter of a meter point (behaviour 2.10). */
export const Meter = withRules(
  z.object({
    meter_serial_number: optional(text(LIMITS.short_text), 'The serial number on the meter.', '21L3948871'),
    installed_on: optional(CalendarDate, 'The day on which the meter was installed.', '2021-05-17'),
    removed_on: optional(
      CalendarDate,
      'The day on which the meter was removed, not before it was installed.',
      '2026-01-09',
    ),
    is_prepay: optional(z.boolean(), 'Whether it is a prepayment meter.', false),
    prepay_customer_reference_number: optional(
      text(LIMITS.name),
      "The customer's reference number for prepayments.",
      '9826 1100 4410 0072',
    ),
    prepay_details: PrepayDetails.optional(),
    registers: optional(
      list(Register, LIMITS.registers),
      `The registers of the meter, up to ${limitText(LIMITS.registers)}; a gas meter may have none.`,
    ),
    transfer_readings: optionalList(
      MeterReading,
      LIMITS.readings,
      'The readings at which the account is handed over',
      exampleMeter.transfer_readings,
    ),
    reading_history: optionalList(MeterReading, LIMITS.readings, 'Earlier readings', [
      { register_id: '01', reading_date: '2025-11-30', reading_value: '04410', reading_type: 'SMART' },
    ]),
    interval_readings: optionalList(
      IntervalReading,
      LIMITS.interval_readings,
      'What was counted in intervals, such as half hours',
    ),
  }),
  startsBeforeItEnds('installed_on', 'removed_on'),
  registerIdsAreUnique,
  readingsNameRegisters('transfer_readings'),
  readingsNameRegisters('reading_history'),
  readingsNameRegisters('interval_readings'),
  readingsAreLikely('transfer_readings'),
  readingsAreLikely('reading_history'),
).meta({ id: 'Meter', description: 'A meter and its readings.', examples: [exampleMeter] });
export type Meter = z.infer<typeof Meter>;
