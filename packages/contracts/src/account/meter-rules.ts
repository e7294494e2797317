import { LIMITS } from '../limits.ts';
import type { Rule, Violation } from '../rules.ts';
import type { MeterReading, Register } from './register.ts';

interface WithRegisters {
  registers?: Register[] | undefined;
}

export const registerIdsAreUnique: Rule<WithRegisters> = {
  reads: ['registers.*.register_id'],
  check: ({ registers = [] }) => {
    const seen = new Set<string>();
    const violations: Violation[] = [];
    for (const [index, { register_id }] of registers.entries()) {
      if (seen.has(register_id) && violations.length < LIMITS.counted_errors) {
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

/** A reading of a meter with registers names one of them; a gas meter usually has none. */
export function readingsNameRegisters<Field extends 'transfer_readings' | 'reading_history'>(
  readings: Field,
): Rule<WithRegisters & { [Key in Field]?: MeterReading[] | undefined }> {
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
