import { dayOf, NO_REAL_DAY, type TextReading } from './date.ts';
import { patternOf } from './pattern.ts';

const DAY_MS = 86_400_000;
/** No zone changes its clocks at another minute. */
const HALF_HOUR_MS = 1_800_000;

/** The offset of a time zone from UTC at an instant, in milliseconds. */
export type Offset = (instant: number) => number;

/** @throws RangeError where there is no such time zone */
export function offsetOf(timeZone: string): Offset {
  const format = formatIn(timeZone);
  const known = new Map<number, number>();
  return (instant) => {
    const halfHour = Math.floor(instant / HALF_HOUR_MS);
    const offset = known.get(halfHour) ?? offsetAt(format, instant);
    known.set(halfHour, offset);
    return offset;
  };
}

function offsetAt(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' ? 0 : fixedOffset(name.slice('GMT'.length));
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    throw new RangeError(`Unknown time zone "${timeZone}". Give a name such as Europe/London.`);
  }
}

/** The milliseconds of `Z`, `+01:00` or `+0100`. */
export function fixedOffset(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [zone.slice(1, 3), zone.slice(-2)];
  return (zone.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The instants at which a clock in the zone shows the time: one; none or two on the days on which clocks change. */
export function instantsOf(local: number, offset: Offset): number[] {
  const offsets = new Set([offset(local - DAY_MS), offset(local + DAY_MS)]);
  const instants = [...offsets].map((one) => local - one).filter((instant) => instant + offset(instant) === local);
  return instants.sort((one, other) => one - other);
}

/** An instant as `YYYY-MM-DDTHH:MM:SSZ`. */
export const utcText = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');

/** How the datetimes of a column are read. */
export interface DatetimeStyle {
  zone: string;
  /** Which of the two hours is meant when clocks go back. */
  repeatedHour?: 'earlier' | 'later' | undefined;
  cutsFraction?: boolean;
}

/**
 * Reads local times in a format as `YYYY-MM-DDTHH:MM:SSZ`. A text that ends with Z or an offset says its zone itself.
 *
 * @throws RangeError where the format or the zone is none: see `patternOf`
 */
export function datetimeParser(format: string, style: DatetimeStyle): (text: string) => TextReading {
  const pattern = patternOf(format);
  const offset = offsetOf(style.zone);
  return (text) => {
    const fields = pattern.match(text);
    if (fields === undefined) return { fault: `Must be a datetime written ${format}.` };
    const day = dayOf(fields);
    if (day === undefined) return { fault: NO_REAL_DAY };
    const { hour = '00', minute = '00', second = '00', fraction = '', zone } = fields;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
      return { fault: 'Must be a real time of day.' };
    if (/[1-9]/.test(fraction) && !style.cutsFraction) {
      return { fault: `Has a fraction of a second, which would be lost. Add 'cut' to cut it.` };
    }
    const local = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    if (zone !== undefined) return { value: utcText(local - fixedOffset(zone)) };
    return instantIn(instantsOf(local, offset), style);
  };
}

function instantIn([earlier, later]: readonly number[], { zone, repeatedHour }: DatetimeStyle): TextReading {
  if (earlier === undefined) return { fault: `There is no such time in ${zone}: the clocks went forward.` };
  if (later === undefined) return { value: utcText(earlier) };
  if (repeatedHour === undefined) {
    return { fault: `This time came twice in ${zone}: the clocks went back. Add 'earlier' or 'later'.` };
  }
  return { value: utcText(repeatedHour === 'earlier' ? earlier : later) };
}
