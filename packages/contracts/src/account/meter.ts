import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { field } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { IDENTIFIER_RULE } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { ReadingString, wholeNumber } from '../numbers.ts';
import { type Rule, type Violation, withRules } from '../rules.ts';
import { identifier, text } from '../text.ts';

const registerId = (description: string) =>
  field(identifier(LIMITS.short_text), `${description} ${IDENTIFIER_RULE}`, '01');

export const Register = z
  .object({
    register_id: registerId('The identifier of the register; unique within its meter.'),
    number_of_digits: field(
      wholeNumber(1, LIMITS.register_digits),
      `The number of digits before the decimal point, 1 to ${limitText(LIMITS.register_digits)}.`,
      5,
    ).optional(),
  })
  .meta({
    id: 'Register',
    description: 'A register of a meter.',
    examples: [{ register_id: '01', number_of_digits: 5 }],
  });
export type Register = z.infer<typeof Register>;

export const MeterReading = z
  .object({
    register_id: registerId('The register that was read; the meter must list it.'),
    reading_date: field(CalendarDate, 'The day of the reading.', '2026-02-28'),
    reading_value: field(
      ReadingString,
      'The reading: a decimal number as a string, leading zeros allowed, at most seven decimals.',
      '04821.5',
    ),
    reading_type: field(
      text(LIMITS.short_text),
      'How the reading was taken, in your own vocabulary.',
      'CUSTOMER',
    ).optional(),
  })
  .meta({
    id: 'MeterReading',
    description: 'The reading of a register on a day.',
    examples: [{ register_id: '01', reading_date: '2026-02-28', reading_value: '04821.5', reading_type: 'CUSTOMER' }],
  });
export type MeterReading = z.infer<typeof MeterReading>;

const registerIdsAreUnique: Rule<{ registers?: Register[] | undefined }> = {
  reads: ['registers.*.register_id'],
  check: ({ registers = [] }) => {
    const seen = new Set<string>();
    const violations: Violation[] = [];
    for (const [index, { register_id }] of registers.entries()) {
      if (seen.has(register_id)) {
        const path = ['registers', index, 'register_id'];
        violations.push({
          code: 'meter_with_duplicate_register_ids',
          path,
          detail: 'Must be unique within the meter.',
        });
      }
      seen.add(register_id);
    }
    return violations;
  },
};

function readingsNameRegisters<Field extends 'transfer_readings' | 'reading_history'>(
  readings: Field,
): Rule<{ registers?: Register[] | undefined } & { [Key in Field]?: MeterReading[] | undefined }> {
  return {
    reads: ['registers.*.register_id', `${readings}.*.register_id`],
    check: (meter) => {
      const listed = meter[readings];
      if (listed === undefined) return undefined;
      const known = new Set(meter.registers?.map((register) => register.register_id));
      return listed.flatMap(({ register_id }, index) =>
        known.has(register_id)
          ? []
          : {
              code: 'reading_register_id_not_recognised' as const,
              path: [readings, index, 'register_id'],
              detail: 'Must be the register_id of one of the registers of the meter.',
            },
      );
    },
  };
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
    meter_serial_number: field(text(LIMITS.short_text), 'The serial number on the meter.', '21L3948871').optional(),
    installed_on: field(CalendarDate, 'The day on which the meter was installed.', '2021-05-17').optional(),
    registers: field(
      list(Register, LIMITS.nested),
      `The registers of the meter, up to ${limitText(LIMITS.nested)}.`,
      exampleMeter.registers,
    ).optional(),
    transfer_readings: field(
      list(MeterReading, LIMITS.nested),
      `The readings at which the account is handed over, up to ${limitText(LIMITS.nested)}.`,
      exampleMeter.transfer_readings,
    ).optional(),
    reading_history: field(list(MeterReading, LIMITS.nested), `Earlier readings, up to ${limitText(LIMITS.nested)}.`, [
      { register_id: '01', reading_date: '2025-11-30', reading_value: '04410', reading_type: 'SMART' },
    ]).optional(),
  }),
  registerIdsAreUnique,
  readingsNameRegisters('transfer_readings'),
  readingsNameRegisters('reading_history'),
).meta({ id: 'Meter', description: 'A meter and its readings.', examples: [exampleMeter] });
export type Meter = z.infer<typeof Meter>;
