import { type DateForm, dateFormOf } from './date-forms.ts';
import { isEan18, isMpan, isMprn } from './meter-points.ts';
import { type MoneyForm, moneyFormOf } from './money-forms.ts';

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
  meterPoints: { mpan: number; mprn: number; ean: number };
  wholeNumbers: number;
  booleans: number;
  dates: readonly DateForm[];
  amounts: readonly MoneyForm[];
  /** How long the shortest and the longest one are. */
  shortest: number;
  longest: number;
  leadingZeros: number;
}

const NOTHING = /^(?:N\/A|#N\/A|NA|NULL|null|\\N|None|none|nan|NaN|NIL|-+|\.|#REF!|#VALUE!)$/;
const OPEN_END = /^(?:9999|2999)[-/.]?12[-/.]?31(?=$|[T ])|^31[-/. ](?:12|DEC|Dec)[-/. ](?:9999|2999)(?=$|[T ])/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
const PHONE =
  /^(?:\+|00?)\d[\d\s()./-]{5,18}(?:\s*(?:x|ext\.?)\s*\d+)?$|^\d{3,5}[\s/-]\d[\d\s-]{4,10}$|^\(0\d+\)[\d\s-]{5,12}$/i;
const MOBILE = /^(?:\+44\s?\(?0?\)?|0044|0)7[\d\s-]{9,12}$/;
const POSTCODE =
  /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^\d{5}(?:-\d{4})?$|^\d{4}(?: ?[A-Z]{2})?$|^[A-Z]\d[\dW] ?[A-Z\d]{4}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i;
const BOOLEAN = /^(?:true|false|yes|no|y|n|0|1)$/i;

/** What a text can be, one thing or several. `digits` is the text without a spreadsheet's `.0`. */
const FORMS = {
  pointZeros: (text: string) => POINT_ZERO.test(text),
  cut: (text: string) => /^\d[.,]\d+E\+?\d+$/i.test(text),
  emails: (text: string) => EMAIL.test(text),
  phones: (text: string) => PHONE.test(text),
  mobiles: (text: string) => MOBILE.test(text),
  postcodes: (text: string) => POSTCODE.test(text),
  wholeNumbers: (text: string) => /^[+-]?\d+$/.test(text),
  booleans: (text: string) => BOOLEAN.test(text),
  leadingZeros: (text: string) => /^0\d/.test(text),
  mpan: (_text: string, digits: string) => isMpan(digits),
  mprn: (_text: string, digits: string) => isMprn(digits),
  ean: (_text: string, digits: string) => isEan18(digits),
};
type FormName = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as FormName[];
const POINT_ZERO = /^\d+\.0$/;

/** Looks at values that are not empty. Those that stand for nothing count for nothing else. */
export function surveyValues(values: Iterable<string>): ValueSurvey {
  const found = { nothingTexts: new Set<string>(), openEndTexts: new Set<string>() };
  const dates: DateForm[] = [];
  const amounts: MoneyForm[] = [];
  const count = { values: 0, nothing: 0, openEnds: 0, padded: 0, longest: 0, shortest: Number.POSITIVE_INFINITY };
  const forms = Object.fromEntries(FORM_NAMES.map((name) => [name, 0])) as Record<FormName, number>;
  for (const value of values) {
    count.values += 1;
    const text = value.trim();
    const meaningless = NOTHING.test(text) ? 'nothing' : OPEN_END.test(text) ? 'openEnds' : undefined;
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
  const { mpan, mprn, ean, ...rest } = forms;
  return { ...count, ...rest, ...found, meterPoints: { mpan, mprn, ean }, dates, amounts };
}

const listed = <Item>(item: Item | undefined): Item[] => (item === undefined ? [] : [item]);

/** How many values say something: neither nothing nor an end of time. */
export const telling = ({ values, nothing, openEnds }: ValueSurvey) => values - nothing - openEnds;
