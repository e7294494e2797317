import { isRealDay } from '../frame/real-day.ts';
import { compareDecimals, readAmount } from '../values/decimal.ts';

/** How a text may be a date. */
export interface DateForm {
  /** All formats in which it is a real day. */
  formats: readonly string[];
  /** Of six digits: those in which it is a day to come. */
  future?: readonly string[];
  /** What stands behind the day, in the letters of formats: ` HH24:MI:SS.FF`. Empty: nothing. */
  time: string;
  hasZone: boolean;
  isMidnight: boolean;
}

const FORM =
  /^(\d{1,4})([-/. ]?)(\d{1,2}|[A-Za-z]{3})\2(\d{2,4})(?:([T ])(\d{2}:\d{2})(:\d{2})?(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?)?$/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Undefined: it is none. */
export function dateFormOf(text: string): DateForm | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, first = '', sign = '', middle = '', last = '', between = '', clock = '', seconds = '', fraction = ''] =
    match;
  const formats = formatsOf([first, middle, last], sign);
  if (formats.length === 0) return undefined;
  const time = clock === '' ? '' : `${between}HH24:MI${seconds === '' ? '' : ':SS'}${fraction === '' ? '' : '.FF'}`;
  return {
    formats,
    ...(/^\d{6}$/.test(text) && { future: formats.filter((format) => isToCome(text, format)) }),
    time,
    hasZone: match[9] !== undefined,
    isMidnight: /^[0:.]*$/.test(`${clock}${seconds}${fraction}`),
  };
}

function formatsOf(parts: readonly [string, string, string], sign: string): string[] {
  const [first, middle, last] = parts;
  const isNamed = /[A-Za-z]/.test(middle);
  const found: string[] = [];
  const add = (format: string, [year, month, day]: readonly string[]) => {
    if (isRealDay(`${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`)) found.push(format);
  };
  if (sign === '') return compactFormats(`${first}${middle}${last}`);
  if (isNamed) {
    const month = String(MONTHS.indexOf(middle.toUpperCase()) + 1);
    if (last.length === 4) add(`DD${sign}MON${sign}YYYY`, [last, month, first]);
    if (last.length === 2) add(`DD${sign}MON${sign}RR`, [`20${last}`, month, first]);
    return found;
  }
  if (first.length === 4 && last.length === 2) add(`YYYY${sign}MM${sign}DD`, [first, middle, last]);
  if (first.length > 2) return found;
  const [years, year] = last.length === 4 ? ['YYYY', last] : ['RR', `20${last}`];
  if (last.length === 3) return found;
  add(`DD${sign}MM${sign}${years}`, [year, middle, first]);
  if (sign !== '.') add(`MM${sign}DD${sign}${years}`, [year, first, middle]);
  return found;
}

/** Years of two digits are those of `RR`: from 50 on of the last century. */
function isToCome(digits: string, format: string): boolean {
  const [one = '', month = '', other = ''] = digits.match(/../g) ?? [];
  const [year, day] = format === 'RRMMDD' ? [one, other] : [other, one];
  return Number(year) < FIRST_YEAR_OF_1900S && `20${year}-${month}-${day}` > new Date().toISOString().slice(0, 10);
}

const FIRST_YEAR_OF_1900S = 50;

function compactFormats(digits: string): string[] {
  if (/^\d{6}$/.test(digits)) {
    const [one = '', month = '', other = ''] = digits.match(/../g) ?? [];
    const isDay = (year: string, day: string) => isRealDay(`20${year}-${month}-${day}`);
    return [...(isDay(other, one) ? ['DDMMRR'] : []), ...(isDay(one, other) ? ['RRMMDD'] : [])];
  }
  const [, century, rest] = /^([01])(\d{6})$/.exec(digits) ?? [];
  if (century !== undefined) return isCompactDay(`${19 + Number(century)}${rest}`) ? ['CYYMMDD'] : [];
  return /^(?:19|20)\d{6}$/.test(digits) && isCompactDay(digits) ? ['YYYYMMDD'] : [];
}

const isCompactDay = (digits: string) => isRealDay(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`);

/** What is special about how an amount is written. */
export type MoneyMark = 'minus-after' | 'parentheses' | 'currency' | 'credit' | 'debit';
/** What its sign before the decimals can be. */
export type DecimalSign = 'none' | 'point' | 'comma' | 'either';

/** How a text may be an amount. */
export interface MoneyForm {
  marks: readonly MoneyMark[];
  sign: DecimalSign;
  hasGroups: boolean;
  isNegative: boolean;
  /** As the payload has it: digits, perhaps a minus in front, perhaps a point. */
  isPlain: boolean;
}

const MARKS: readonly [MoneyMark, RegExp][] = [
  ['credit', /CR$/i],
  ['debit', /DR$/i],
  ['parentheses', /^\(/],
  ['minus-after', /[-\u2212]$/],
  ['currency', /\p{Sc}|(?<!\p{L})(?!CR|DR)[A-Z]{3}(?!\p{L})/u],
];
const GROUPS = /\d[.,'’\s]\d{3}(?:[.,]\d|[.,'’\s]\d{3}|\D*$)/u;

/** Undefined: it is none. */
export function moneyFormOf(text: string): MoneyForm | undefined {
  const read = (decimalSign: 'point' | 'comma') => readAmount(text, { decimalSign, credit: 'positive' }).value;
  const [point, comma] = [read('point'), read('comma')];
  const value = point ?? comma;
  if (value === undefined) return undefined;
  const isBoth = point !== undefined && comma !== undefined;
  const isEqual = isBoth && compareDecimals(point, comma) === 0;
  return {
    marks: MARKS.filter(([, form]) => form.test(text)).map(([mark]) => mark),
    sign: isEqual ? 'none' : isBoth ? 'either' : point === undefined ? 'comma' : 'point',
    hasGroups: GROUPS.test(text),
    isNegative: value.units < 0n,
    isPlain: /^-?\d+(?:\.\d+)?$/.test(text),
  };
}
