import { NeedsOption, type Reading } from './reading.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ISO = /^\d{4}-\d{2}-\d{2}$/;
const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?$/;
const DAY_OR_MONTH_FIRST = /^(\d{1,2})([/-])(\d{1,2})\2\d{4}$/;
const FORMS: readonly { form: RegExp; format: (text: string) => string }[] = [
  { form: /^\d{1,2}\.\d{1,2}\.\d{4}$/, format: () => 'DD.MM.YYYY' },
  { form: /^\d{4}([/.])\d{1,2}\1\d{1,2}$/, format: (text) => `YYYY${text[4]}MM${text[4]}DD` },
  { form: /^\d{8}$/, format: () => 'YYYYMMDD' },
  { form: /^\d{1,2}([ -])[A-Za-z]{3}\1\d{4}$/, format: (text) => (text.includes('-') ? 'DD-MMM-YYYY' : 'DD MMM YYYY') },
];

/** The dates of one file. */
export interface DateReader {
  /** A day as `YYYY-MM-DD`. Throws NeedsOption where the file does not say in which order its dates are. */
  read(text: string): Reading;
  /** The format that was guessed, once a date needed it. */
  guessed(): string | undefined;
}

/**
 * Reads dates in a format, or guesses it: only from dates that can be read in one way. `YYYY-MM-DD` is always read, and
 * a time at midnight is left out.
 *
 * @throws RangeError where the format is none
 */
export function createDateReader(given: string | undefined): DateReader {
  let format = given === undefined ? undefined : { name: given, parse: parserOf(given) };

  function guess(text: string): Reading {
    const names = formatsOf(text);
    const [name, other] = names;
    if (name === undefined) return NO_DATE;
    if (other !== undefined) {
      throw new NeedsOption(`may be read as ${name} or as ${other}`, '--date-format', name);
    }
    if (format !== undefined && format.name !== name) {
      throw new NeedsOption(`is written ${name}, and an earlier one ${format.name}`, '--date-format', name);
    }
    format ??= { name, parse: parserOf(name) };
    return format.parse(text);
  }

  return {
    guessed: () => (given === undefined ? format?.name : undefined),
    read(text) {
      const day = text.replace(MIDNIGHT, '');
      if (ISO.test(day)) return { value: day };
      if (given === undefined || format === undefined) return guess(day);
      return format.parse(day);
    },
  };
}

const NO_DATE: Reading = { fault: 'Must be a day, such as 2026-04-05.' };

/** The formats in which a text may be a date. Both, where day and month may change places and the day with them. */
function formatsOf(text: string): string[] {
  const match = DAY_OR_MONTH_FIRST.exec(text);
  if (match === null) return FORMS.filter(({ form }) => form.test(text)).map(({ format }) => format(text));
  const [, first = '', sign, second = ''] = match;
  const dayFirst = `DD${sign}MM${sign}YYYY`;
  const monthFirst = `MM${sign}DD${sign}YYYY`;
  if (Number(first) > 12) return [dayFirst];
  return Number(second) > 12 ? [monthFirst] : [dayFirst, monthFirst];
}

/** Reads dates of a format made of `DD`, `MM` or `MMM` (Apr), and `YYYY`. */
function parserOf(format: string): (text: string) => Reading {
  const parts = format.match(/YYYY|MMM|MM|DD|[^A-Za-z]+/g) ?? [];
  const fields = parts.filter((part) => /[A-Z]/.test(part));
  const letters = [...new Set(fields.map((part) => part[0]))].sort().join('');
  if (parts.join('') !== format || fields.length !== 3 || letters !== 'DMY') {
    throw new RangeError(`"${format}" is not a date format. Give DD, MM or MMM, and YYYY, such as DD/MM/YYYY.`);
  }
  const isCut = parts.length > fields.length;
  const pattern = new RegExp(`^${parts.map((part) => patternOf(part, isCut)).join('')}$`);
  return (text) => {
    const match = pattern.exec(text);
    if (match === null) return { fault: `Must be a day written ${format}.` };
    const value = Object.fromEntries(fields.map((field, index) => [field[0], match[index + 1] ?? '']));
    const month = /\d/.test(value.M ?? '') ? value.M : String(MONTHS.indexOf((value.M ?? '').toLowerCase()) + 1);
    return { value: `${value.Y}-${month?.padStart(2, '0')}-${value.D?.padStart(2, '0')}` };
  };
}

function patternOf(part: string, isCut: boolean): string {
  if (part === 'YYYY') return '(\\d{4})';
  if (part === 'MMM') return '([A-Za-z]{3})';
  if (part === 'MM' || part === 'DD') return isCut ? '(\\d{1,2})' : '(\\d{2})';
  return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
