import { isRealDay } from '../frame/real-day.ts';
import type { DateReader } from './read-date.ts';
import { NeedsOption, type Reading } from './reading.ts';

const DATETIME = /^(.*?)[T ](\d{1,2}:\d{2})(:\d{2})?(?:\.(\d+))?(Z|[+-]\d{2}:?\d{2})?$/;
const DAY_IN_MS = 86_400_000;

/** The offset of a time zone from UTC at an instant, in milliseconds. */
type Offset = (instant: number) => number;

/** Reads datetimes as UTC, with the dates of the file and the time zone of the flag. */
export interface DatetimeReader {
  /** `YYYY-MM-DDTHH:MM:SSZ`. Throws NeedsOption where a time is in no known zone. */
  read(text: string): Reading;
}

/** @throws RangeError where there is no such time zone */
export function createDatetimeReader(dates: DateReader, timeZone: string | undefined): DatetimeReader {
  const offset = timeZone === undefined ? undefined : offsetOf(timeZone);
  return {
    read(text) {
      const match = DATETIME.exec(text);
      if (match === null) return { fault: 'Must be a datetime, such as 2026-04-05T10:15:00Z.' };
      const [, date = '', time = '', seconds = ':00', fraction = '', zone] = match;
      if (/[1-9]/.test(fraction)) return { fault: 'Must be a whole second: the fraction would be lost.' };
      const day = dates.read(date);
      if (day.fault !== undefined) return day;
      if (!isRealDay(String(day.value))) return { fault: 'Must be a real calendar day, such as 2026-04-05.' };
      const local = Date.parse(`${day.value}T${time.padStart(5, '0')}${seconds}Z`);
      if (Number.isNaN(local)) return { fault: 'Must be a real datetime, such as 2026-04-05T10:15:00Z.' };
      if (zone !== undefined) return utc(local - fixedOffset(zone));
      if (offset === undefined) throw new NeedsOption('has no time zone', '--time-zone', 'Europe/London');
      return instantOf(local, offset);
    },
  };
}

/** What a clock in the zone shows once; not twice or never, on the days on which clocks change. */
function instantOf(local: number, offset: Offset): Reading {
  const offsets = new Set([offset(local - DAY_IN_MS), offset(local + DAY_IN_MS)]);
  const instants = [...offsets].map((one) => local - one).filter((instant) => instant + offset(instant) === local);
  const [instant, other] = instants;
  if (instant === undefined)
    return { fault: 'There is no such time: the clocks went forward. Write it in UTC, with Z.' };
  if (other !== undefined) return { fault: 'This time came twice: the clocks went back. Write it in UTC, with Z.' };
  return utc(instant);
}

const utc = (instant: number): Reading => ({ value: new Date(instant).toISOString().replace('.000Z', 'Z') });

function fixedOffset(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [zone.slice(1, 3), zone.slice(-2)];
  return (zone.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function offsetOf(timeZone: string): Offset {
  const format = formatIn(timeZone);
  return (instant) => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return name === 'GMT' ? 0 : fixedOffset(name.slice('GMT'.length));
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    throw new RangeError(`Unknown time zone "${timeZone}". Give a name such as Europe/London.`);
  }
}
