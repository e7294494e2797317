import { isRealDay } from '../frame/real-day.ts';
import { NO_REAL_DAY } from '../values/date.ts';
import { fixedOffset, instantsOf, offsetOf, utcText } from '../values/datetime.ts';
import type { DayReader } from './read-date.ts';
import type { Reading } from './reading.ts';

const DATETIME = /^(.*?)[T ](\d{1,2}:\d{2})(:\d{2})?(?:[.,](\d+))?\s?(Z|[+-]\d{2}:?\d{2})?$/;

/** How the datetimes of a column are written. */
export interface DatetimeStyle {
  day: DayReader;
  timeZone: string | undefined;
  /** Fractions of a second are left out. */
  cutsFractions: boolean;
}

/**
 * Reads datetimes as UTC, `YYYY-MM-DDTHH:MM:SSZ`.
 *
 * @throws RangeError where there is no such time zone
 */
export function datetimeReader({ day, timeZone, cutsFractions }: DatetimeStyle): (text: string) => Reading {
  const offset = timeZone === undefined ? undefined : offsetOf(timeZone);
  return (text) => {
    const match = DATETIME.exec(text);
    if (match === null) return { fault: 'Must be a datetime, such as 2026-04-05T10:15:00Z.' };
    const [, date = '', time = '', seconds = ':00', fraction = '', zone] = match;
    if (/[1-9]/.test(fraction) && !cutsFractions) {
      return { fault: 'Must be a whole second: the fraction would be lost. Give --cut-fractions.' };
    }
    const read = day(date);
    if (read.fault !== undefined) return read;
    if (!isRealDay(String(read.value))) return { fault: NO_REAL_DAY };
    const local = Date.parse(`${read.value}T${time.padStart(5, '0')}${seconds}Z`);
    if (Number.isNaN(local)) return { fault: 'Must be a real datetime, such as 2026-04-05T10:15:00Z.' };
    if (zone !== undefined) return { value: utcText(local - fixedOffset(zone)) };
    return offset === undefined ? { fault: 'Has no time zone: give --time-zone.' } : once(instantsOf(local, offset));
  };
}

/** What a clock in the zone shows once; not twice or never, on the days on which clocks change. */
function once([instant, other]: readonly number[]): Reading {
  if (instant === undefined)
    return { fault: 'There is no such time: the clocks went forward. Write it in UTC, with Z.' };
  if (other !== undefined) return { fault: 'This time came twice: the clocks went back. Write it in UTC, with Z.' };
  return { value: utcText(instant) };
}
