import type { DatabaseSync } from 'node:sqlite';
import { isMeterPoint } from '@causeway/rules';
import { quotedName } from '../extract/sql-names.ts';
import type { TextTable } from '../extract/tables.ts';
import { type DateForm, dateFormOf, type MoneyForm, moneyFormOf } from './value-forms.ts';

/** What the values of a column have in common. Never a value itself, but those that stand for nothing everywhere. */
export interface ValueSurvey {
  /** How many were looked at: those that are not empty. */
  values: number;
  /** Of them those that stand for nothing, such as `N/A`, and how they are written. */
  nothing: number;
  nothingTexts: ReadonlySet<string>;
  /** Ends of time, such as 31-DEC-9999, and how they are written. */
  openEnds: number;
  openEndTexts: ReadonlySet<string>;
  padded: number;
  /** Whole numbers that a spreadsheet has written with `.0`, and those that it has cut, such as `1.2E+12`. */
  pointZeros: number;
  cut: number;
  emails: number;
  phones: number;
  mobiles: number;
  postcodes: number;
  /** Of them those that nothing else looks like. */
  clearPostcodes: number;
  ibans: number;
  /** Paths of files. */
  documents: number;
  meterPoints: number;
  /** Lists and objects of JSON. */
  nested: number;
  wholeNumbers: number;
  booleans: number;
  dates: readonly DateForm[];
  amounts: readonly MoneyForm[];
  /** How long the shortest and the longest one are. */
  shortest: number;
  longest: number;
  leadingZeros: number;
}

/** The values of a column that were looked at, and what they have in common. */
export interface JudgedValues {
  /** The header, where there is one. */
  name?: string;
  survey: ValueSurvey;
  /** Not empty, as they are. */
  values: readonly string[];
}

/** What is known of a column of a file. */
export interface ColumnFacts extends JudgedValues {
  name: string;
  /** How many rows have a value, and how many different ones there are. */
  filled: number;
  distinct: number;
}

/** What is known of a file, from so many of its rows. */
export interface TableFacts {
  name: string;
  rows: number;
  columns: readonly ColumnFacts[];
}

const NOTHING = /^(?:N\/A|#N\/A|NA|NULL|null|\\N|None|none|nan|NaN|NIL|-+|\.|#REF!|#VALUE!)$/;
const OPEN_END =
  /^(?:9999|2999)[-/.]?12[-/.]?31(?=$|[T ])|^31[-/. ](?:12|DEC|Dec)[-/. ](?:9999|2999)(?=$|[T ])|^(?:99([-/.])99\1|00([-/.])00\2)(?:9999|0000)$|^(?:9999|0000)([-/.])(?:99\3|00\3)(?:99|00)$/;
/** They stand for an open end in a column of such days alone: elsewhere they may be numbers. */
const OPEN_END_OF_DIGITS = /^(?:0{6,8}|9{6,8})$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
const PHONE =
  /^(?:\+|00?)[1-9][\d\s()./-]{5,18}(?:\s*(?:x|ext\.?)\s*\d+)?$|^\d{3,5}[\s/-]\d[\d\s-]{4,10}$|^\(0\d+\)[\d\s-]{5,12}$/i;
/** British, or by the country's code German, French, Spanish, Italian, Dutch, Austrian, Swiss, Irish or Australian. */
const MOBILE = /^(?:(?:\+|00)44|0)7\d{8,9}$|^(?:\+|00)(?:491[567]|33[67]|34[67]|393|316|436|417|3538|614)\d{7,10}$/;
const CLEAR_POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^\d{4} ?[A-Z]{2}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i;
const POSTCODE = /^\d{5}(?:-\d{4})?$|^\d{4}$|^[A-Z]\d[\dW] ?[A-Z\d]{4}$/i;
const IBAN = /^[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?$/;
const BOOLEAN = /^(?:true|false|yes|no|y|n|0|1)$/i;
const POINT_ZERO = /^\d+\.0$/;

/** What a text can be, one thing or several. `digits` is the text without a spreadsheet's `.0`. */
const FORMS = {
  pointZeros: (text: string) => POINT_ZERO.test(text),
  cut: (text: string) => /^\d[.,]\d+E\+?\d+$/i.test(text),
  emails: (text: string) => EMAIL.test(text),
  phones: (text: string) => PHONE.test(text),
  mobiles: (text: string) => MOBILE.test(text.replace('(0)', '').replaceAll(/[\s()./-]/g, '')),
  postcodes: (text: string) => POSTCODE.test(text) || CLEAR_POSTCODE.test(text),
  clearPostcodes: (text: string) => CLEAR_POSTCODE.test(text),
  ibans: (text: string) => IBAN.test(text),
  documents: (text: string) => /[^/\\]\.(?:pdf|html?)$/i.test(text),
  wholeNumbers: (text: string) => /^[+-]?\d+$/.test(text),
  booleans: (text: string) => BOOLEAN.test(text),
  leadingZeros: (text: string) => /^0\d/.test(text),
  meterPoints: (_text: string, digits: string) => isMeterPoint(digits) && !/^0+$/.test(digits),
  nested: (text: string) => /^[[{].*[}\]]$/s.test(text),
};
type FormName = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as FormName[];

/** Looks at values that are not empty. Those that stand for nothing count for nothing else. */
export function surveyValues(values: Iterable<string>): ValueSurvey {
  const isOfDays = areDaysOfDigits([...values]);
  const isOpenEnd = (text: string) => OPEN_END.test(text) || (isOfDays && OPEN_END_OF_DIGITS.test(text));
  const found = { nothingTexts: new Set<string>(), openEndTexts: new Set<string>() };
  const dates: DateForm[] = [];
  const amounts: MoneyForm[] = [];
  const count = { values: 0, nothing: 0, openEnds: 0, padded: 0, longest: 0, shortest: Number.POSITIVE_INFINITY };
  const forms = Object.fromEntries(FORM_NAMES.map((name) => [name, 0])) as Record<FormName, number>;
  for (const value of values) {
    count.values += 1;
    const text = value.trim();
    const meaningless = NOTHING.test(text) ? 'nothing' : isOpenEnd(text) ? 'openEnds' : undefined;
    if (meaningless !== undefined) {
      count[meaningless] += 1;
      found[meaningless === 'nothing' ? 'nothingTexts' : 'openEndTexts'].add(text);
      continue;
    }
    const digits = POINT_ZERO.test(text) ? text.slice(0, -2) : text;
    for (const name of FORM_NAMES) if (FORMS[name](text, digits)) forms[name] += 1;
    if (text !== value) count.padded += 1;
    count.shortest = Math.min(count.shortest, digits.length);
    count.longest = Math.max(count.longest, digits.length);
    dates.push(...listed(dateFormOf(text)));
    amounts.push(...listed(moneyFormOf(text)));
  }
  return { ...count, ...forms, ...found, dates, amounts };
}

/** Whether the values of a column are days of digits alone, but for those that stand for an open end. */
function areDaysOfDigits(values: readonly string[]): boolean {
  const texts = values.map((value) => value.trim()).filter((text) => !OPEN_END_OF_DIGITS.test(text));
  const days = texts.filter((text) => /^\d+$/.test(text) && dateFormOf(text) !== undefined).length;
  return texts.length < values.length && days > 0 && days === texts.length;
}

const listed = <Item>(item: Item | undefined): Item[] => (item === undefined ? [] : [item]);

/** How many values say something: neither nothing nor an end of time. */
export const telling = ({ values, nothing, openEnds }: ValueSurvey) => values - nothing - openEnds;

/** Values alone say something where there are so many different ones, and so many hundredths of them agree. */
export const LEAST_DIFFERENT = 5;
export const MOST_PERCENT = 95;

/** Whether so many values of a column are of one form that they need no name. */
export const areClearly = (count: number, { survey, distinct }: ColumnFacts) =>
  distinct >= LEAST_DIFFERENT && count > 0 && count * 100 >= telling(survey) * MOST_PERCENT;

/** So many values of a column are judged, evenly from all of its rows. */
const MOST_VALUES = 5_000;

/** What is known of a table: its columns with their values. */
export function lookAt(database: DatabaseSync, { name, columns, rows }: TextTable): TableFacts {
  const step = Math.max(1, Math.ceil(rows / MOST_VALUES));
  const lookAtColumn = (column: string): ColumnFacts => {
    const cell = quotedName(column);
    const from = `FROM ${quotedName(name)} WHERE trim(${cell}) <> '' AND _fault IS NULL`;
    const sample = database.prepare(`SELECT ${cell} AS value ${from} AND rowid % ? = 0`).all(step);
    const values = sample.map(({ value }) => String(value));
    const counts = database.prepare(`SELECT count(*) AS filled, count(DISTINCT ${cell}) AS different ${from}`).get();
    const { filled, different } = { ...counts };
    return { name: column, values, survey: surveyValues(values), filled: Number(filled), distinct: Number(different) };
  };
  return { name, rows, columns: columns.map(lookAtColumn) };
}

/** The different values of a column. */
export function valuesIn(database: DatabaseSync, table: string, column: string): string[] {
  const name = quotedName(column);
  const from = `FROM ${quotedName(table)} WHERE trim(${name}) <> '' AND _fault IS NULL`;
  const rows = database.prepare(`SELECT DISTINCT ${name} AS value ${from}`).all();
  return rows.map(({ value }) => String(value));
}
