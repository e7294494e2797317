import type { DoubtCode } from '@causeway/contracts';

type Fields = Readonly<Record<string, unknown>>;
type Remark = (code: DoubtCode, attr: string) => void;

interface Reading {
  register: unknown;
  day: string;
  at: string;
  value: number;
  attr: string;
}

const LISTS = ['transfer_readings', 'reading_history'] as const;

/**
 * What is doubtful about the readings of a meter: a day on which it cannot have been read, and a value that is lower than
 * an earlier one of its register, unless the register counts both ways or has passed its last number.
 */
export function remarkReadings(meter: Fields, today: string, remark: Remark): void {
  const readings = LISTS.flatMap((name) => readingsOf(meter[name], name));
  for (const { day, attr } of readings) {
    if (isOutside(day, meter, today)) remark('unlikely_reading_date', `${attr}.reading_date`);
  }
  if (readings.length < 2) return;
  for (const [register, all] of Map.groupBy(readings, (reading) => reading.register)) {
    const known = registerOf(meter, register);
    if (known.direction === 'BOTH') continue;
    const inOrder = all.toSorted((one, other) => (one.at < other.at ? -1 : 1));
    for (const [index, later] of inOrder.entries()) {
      const earlier = inOrder[index - 1];
      if (earlier === undefined || earlier.at === later.at || later.value >= earlier.value) continue;
      if (!hasPassedZero(earlier.value, later.value, known)) remark('falling_reading', `${later.attr}.reading_value`);
    }
  }
}

function readingsOf(list: unknown, name: string): Reading[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: Fields, index) => {
    const { register_id: register, reading_date, reading_at, reading_value } = Object(item) as Fields;
    const day = String(reading_date);
    return { register, day, at: String(reading_at ?? day), value: Number(reading_value), attr: `${name}.${index}` };
  });
}

function isOutside(day: string, { installed_on, removed_on }: Fields, today: string): boolean {
  return (
    day > today ||
    (typeof installed_on === 'string' && day < installed_on) ||
    (typeof removed_on === 'string' && day > removed_on)
  );
}

function registerOf({ registers }: Fields, register_id: unknown): Fields {
  const all: Fields[] = Array.isArray(registers) ? registers.map(Object) : [];
  return all.find((register) => register.register_id === register_id) ?? {};
}

/** From the last tenth of its numbers to the first. */
function hasPassedZero(earlier: number, later: number, { number_of_digits: digits }: Fields): boolean {
  const end = 10 ** Number(digits);
  return earlier >= 0.9 * end && later < 0.1 * end;
}
