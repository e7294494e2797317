import type { DoubtCode, Remark } from '@causeway/contracts';

type Doubt = Remark<DoubtCode>;

type Fields = Readonly<Record<string, unknown>>;

interface Reading {
  register: unknown;
  at: string;
  value: number;
  attr: string;
}

const LISTS = ['transfer_readings', 'reading_history'] as const;
const NONE: readonly Doubt[] = [];

/** The first and the last day of something, as they were sent. */
export type Days = readonly [first: unknown, last: unknown];

/**
 * What is doubtful about the readings of a meter: a day on which it cannot have been read for this account, since the meter
 * was not there, or it is not one of these days, and a value that is lower than an earlier one of its register, unless the
 * register counts both ways or has passed its last number.
 */
export function remarksOfReadings(meter: Fields, days: readonly Days[]): readonly Doubt[] {
  let remarks: Doubt[] | undefined;
  let readings = 0;
  const { installed_on, removed_on } = meter;
  const all: readonly Days[] = [...days, [installed_on, removed_on]];
  for (const name of LISTS) {
    const list = listOf(meter[name]);
    readings += list.length;
    for (let index = 0; index < list.length; index += 1) {
      const { reading_date } = Object(list[index]);
      if (typeof reading_date !== 'string' || all.every((one) => isWithin(reading_date, one))) continue;
      remarks ??= [];
      remarks.push({ code: 'unlikely_reading_date', attr: `${name}.${index}.reading_date` });
    }
  }
  if (readings < 2) return remarks ?? NONE;
  const falling = fallingReadings(meter).map(
    ({ attr }): Doubt => ({ code: 'falling_reading', attr: `${attr}.reading_value` }),
  );
  return remarks === undefined ? falling : [...remarks, ...falling];
}

function fallingReadings(meter: Fields): Reading[] {
  const byRegister = Map.groupBy(
    LISTS.flatMap((name) => readingsOf(meter, name)),
    ({ register }) => register,
  );
  return [...byRegister].flatMap(([register, all]) => {
    const known = registerOf(meter, register);
    if (known.direction === 'BOTH') return [];
    const inOrder = all.toSorted(byTimeAndValue);
    return inOrder.filter((later, index) => {
      const earlier = inOrder[index - 1];
      // Of the same time, or of the same day: which of them was first is not known.
      if (earlier === undefined || later.at.startsWith(earlier.at) || later.value >= earlier.value) return false;
      return !hasPassedZero(earlier.value, later.value, known);
    });
  });
}

/** The same in whichever order they were sent. */
function byTimeAndValue(one: Reading, other: Reading): number {
  if (one.at === other.at) return one.value - other.value;
  return one.at < other.at ? -1 : 1;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NONE);

function readingsOf(meter: Fields, name: (typeof LISTS)[number]): Reading[] {
  return listOf(meter[name]).map((item, index) => {
    const { register_id: register, reading_date, reading_at, reading_value } = Object(item) as Fields;
    return { register, at: String(reading_at ?? reading_date), value: Number(reading_value), attr: `${name}.${index}` };
  });
}

function isWithin(day: string, [first, last]: Days): boolean {
  return !(typeof first === 'string' && day < first) && !(typeof last === 'string' && day > last);
}

function registerOf({ registers }: Fields, register_id: unknown): Fields {
  return (
    listOf(registers)
      .map(Object)
      .find((register) => register.register_id === register_id) ?? {}
  );
}

/** From the last tenth of its numbers to the first. */
function hasPassedZero(earlier: number, later: number, { number_of_digits: digits }: Fields): boolean {
  const end = 10 ** Number(digits);
  return earlier >= 0.9 * end && later < 0.1 * end;
}
