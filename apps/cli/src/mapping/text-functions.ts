import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { dateParser, type TextReading } from '../values/date.ts';
import { datetimeParser } from '../values/datetime.ts';
import { type Argument, type Read, type SqlFunction, textOf, wholeNumberOf } from './sql-function.ts';

type Parser = (text: string) => TextReading;

/** Makes the parser of a format once, not once a row. */
function parsers(create: (words: readonly Argument[]) => Parser): (words: readonly Argument[]) => Parser {
  const known = new Map<string, Parser>();
  return (words) => {
    const key = words.join('\0');
    const parser = known.get(key) ?? create(words);
    known.set(key, parser);
    return parser;
  };
}

const dateParserOf = parsers(([format = null, pivot = null]) => {
  const years = pivot === null ? undefined : wholeNumberOf(pivot, { most: 100, what: 'The pivot' });
  return dateParser(textOf(format) ?? '', years);
});

const datetimeParserOf = parsers(([format = null, zone = null, words = null]) => {
  const chosen = (textOf(words) ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const wrong = chosen.find((word) => !['earlier', 'later', 'cut'].includes(word));
  if (wrong !== undefined) throw new RangeError(`"${wrong}" is not known. Give 'earlier', 'later', 'cut' or none.`);
  return datetimeParser(textOf(format) ?? '', {
    zone: textOf(zone) ?? '',
    repeatedHour: (['earlier', 'later'] as const).find((word) => chosen.includes(word)),
    cutsFraction: chosen.includes('cut'),
  });
});

const trimmed = (value: Argument) => (textOf(value) ?? '').trim();

function readPhone([value = null, country = null]: readonly Argument[]): Read {
  const code = textOf(country) ?? '';
  if (!isSupportedCountry(code)) throw new RangeError(`"${code}" is no country. Give its code, such as 'GB'.`);
  const number = parsePhoneNumberFromString(trimmed(value), { defaultCountry: code, extract: false });
  if (number === undefined || !number.isPossible()) {
    return { fault: `Must be a phone number of ${code}, or one with its country code, such as +441632960001.` };
  }
  return { value: number.ext === undefined ? number.number : `${number.number} ext. ${number.ext}` };
}

const DAY_MS = 86_400_000;
/** Excel has a 29 February 1900; before it, its days are off by one. */
const FIRST_EXCEL_DAY = 61;
const LAST_EXCEL_DAY = 2_958_465;

function readExcelDate([value = null]: readonly Argument[]): Read {
  const text = trimmed(value);
  const days = /^\d{1,7}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(days)) return { fault: 'Must be the number of a day in a spreadsheet, such as 46113.' };
  if (!Number.isInteger(days)) {
    return { fault: 'Has a time of day. To leave it out, write excel_date(CAST(column AS INTEGER)).' };
  }
  if (days < FIRST_EXCEL_DAY || days > LAST_EXCEL_DAY) return { fault: 'Is no day from March 1900 to the year 9999.' };
  return { value: new Date(Date.UTC(1899, 11, 30) + days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length) };
}

function padded([value = null, length = null]: readonly Argument[]): Read {
  const wanted = wholeNumberOf(length, { most: 255, what: 'The length' });
  const text = trimmed(value);
  return text.length > wanted
    ? { fault: `Is longer than ${wanted} characters.` }
    : { value: text.padStart(wanted, '0') };
}

export const TEXT_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'to_date',
    least: 2,
    most: 3,
    values: 1,
    read: ([value = null, ...words]) => dateParserOf(words)(trimmed(value)),
  },
  {
    name: 'to_datetime',
    least: 3,
    most: 4,
    values: 1,
    read: ([value = null, ...words]) => datetimeParserOf(words)(trimmed(value)),
  },
  { name: 'to_phone', least: 2, most: 2, values: 1, read: readPhone },
  { name: 'excel_date', least: 1, most: 1, values: 1, read: readExcelDate },
  {
    name: 'unpad',
    least: 1,
    most: 1,
    values: 1,
    read: ([value = null]) => ({ value: trimmed(value).replace(/^0+(?=.)/, '') }),
  },
  { name: 'pad', least: 2, most: 2, values: 1, read: padded },
  {
    name: 'null_if',
    least: 2,
    most: Number.POSITIVE_INFINITY,
    values: 1,
    read([value = null, ...words]) {
      const isNothing = words.some((word) => textOf(word)?.trim() === trimmed(value));
      return { value: isNothing ? null : (textOf(value) ?? null) };
    },
  },
];
