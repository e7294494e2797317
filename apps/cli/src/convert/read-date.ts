import { dateParser, withoutMidnight } from '../values/date.ts';
import type { Reading } from './reading.ts';

const ISO = /^\d{4}-\d{2}-\d{2}$/;
const DAY_OR_MONTH_FIRST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;
const FORMS: readonly { form: RegExp; format: (text: string) => string }[] = [
  { form: /^\d{4}([/.])\d{1,2}\1\d{1,2}$/, format: (text) => `YYYY${text[4]}MM${text[4]}DD` },
  { form: /^\d{8}$/, format: () => 'YYYYMMDD' },
  { form: /^\d{1,2}([ -])[A-Za-z]{3}\1\d{4}$/, format: (text) => (text.includes('-') ? 'DD-MMM-YYYY' : 'DD MMM YYYY') },
  { form: /^\d{1,2}([ -])[A-Za-z]{3}\1\d{2}$/, format: (text) => (text.includes('-') ? 'DD-MMM-YY' : 'DD MMM YY') },
];
/** Of two digits, years from here on are of the last century. */
const PIVOT = 50;

/** Reads a text as a day, `YYYY-MM-DD`. */
export type DayReader = (text: string) => Reading;

/**
 * The formats in which a text may be a day: both where day and month may change places, and none where it is written
 * `YYYY-MM-DD` or is no day.
 */
export function formatsOf(text: string): string[] {
  const match = DAY_OR_MONTH_FIRST.exec(text);
  if (match === null) return FORMS.filter(({ form }) => form.test(text)).map(({ format }) => format(text));
  const [, first = '', sign, second = '', year = ''] = match;
  const years = 'Y'.repeat(year.length);
  const dayFirst = `DD${sign}MM${sign}${years}`;
  const monthFirst = `MM${sign}DD${sign}${years}`;
  const isYearFirst = year.length === 2 && Number(second) <= 12 && first.length === 2 && second.length === 2;
  const yearFirst = isYearFirst ? [`YY${sign}MM${sign}DD`] : [];
  // A point is that of Germany and its neighbours, where the day comes first.
  if (Number(first) > 31) return yearFirst;
  if (sign === '.') return [dayFirst];
  if (Number(first) > 12) return [dayFirst, ...yearFirst];
  return Number(second) > 12 ? [monthFirst] : [dayFirst, monthFirst, ...yearFirst];
}

/** Whether a year has two digits: nobody but the owner of the file knows its century. */
export const isShortYear = (format: string) => /(?<!Y)YY(?!Y)/.test(format);

/**
 * Reads days of a format; `YYYY-MM-DD` is always read, and a time at midnight is left out.
 *
 * @throws RangeError where the format is none
 */
export function dayReader(format: string | undefined): DayReader {
  const parse = format === undefined ? () => NO_DAY : dateParser(format, PIVOT);
  return (text) => {
    const day = withoutMidnight(text);
    if (ISO.test(day)) return { value: day };
    if (ISO_TIME.test(day)) return HAS_TIME;
    const read = parse(day);
    return read.value === ''
      ? { fault: `Zeros are no day: leave the cell empty, or give --empty-text '${day}'.` }
      : read;
  };
}

const NO_DAY: Reading = { fault: 'Must be a day, such as 2026-04-05.' };
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
/** Which day it is depends on the time zone. */
const HAS_TIME: Reading = {
  fault: 'Must be a day, such as 2026-04-05, without a time. The time of a reading has the column reading_at.',
};
