import { isRealDay } from '../frame/real-day.ts';
import { patternOf, type TextFields } from './pattern.ts';

/** A text that was read: what it says, or what is wrong with it, in a sentence that does not repeat it. */
export type TextReading = { value: string; fault?: undefined } | { value?: undefined; fault: string };

const MIDNIGHT = /[T ]00:00(?::00(?:[.,]0+)?)?$/;

/** The day of a text that ends with midnight, as databases write days; others are left as they are. */
export const withoutMidnight = (text: string) => text.replace(MIDNIGHT, '');

/** The day as `YYYY-MM-DD`; undefined where the calendar has none. */
export function dayOf({ year, month, day }: TextFields): string | undefined {
  const text = `${year}-${month}-${day}`;
  return isRealDay(text) ? text : undefined;
}

export const NO_REAL_DAY = 'Must be a real calendar day, such as 2026-04-05.';

/**
 * Reads days in a format as `YYYY-MM-DD`. A time is left out where the format has it, and at midnight always. The zeros of
 * a format with a century are an empty text: no day.
 *
 * @throws RangeError where the format is none: see `patternOf`
 */
export function dateParser(format: string, pivot?: number): (text: string) => TextReading {
  const pattern = patternOf(format, pivot);
  return (text) => {
    if (pattern.hasCentury && /^0+$/.test(text)) return { value: '' };
    const fields = pattern.match(pattern.hasTime ? text : withoutMidnight(text));
    if (fields === undefined) return { fault: `Must be a day written ${format}.` };
    const value = dayOf(fields);
    return value === undefined ? { fault: NO_REAL_DAY } : { value };
  };
}
