import { quotedText } from '../extract/sql-names.ts';
import { grouped } from '../terminal/numbers.ts';
import { MINOR_WORDS, wordsOf } from './name-words.ts';
import { type JudgedValues, telling, type ValueSurvey } from './survey-values.ts';
import type { DateForm } from './value-forms.ts';

/** What the values of a column say to a field. */
export type Verdict =
  | {
      isOpen: false;
      /** The value of the field, in SQL, from the quoted name of the column. */
      sql: (column: string) => string;
      /** Why, and of how many values it is true. */
      says: string;
    }
  | {
      isOpen: true;
      says: string;
      /** Expressions or fields between which only the owner can decide. */
      candidates: readonly string[];
    };

/**
 * A column without what stands around its values or for none: spaces, `N/A`, an end of time and, where they are numbers of
 * things, a spreadsheet's `.0`.
 */
export function cleaned(column: string, survey: ValueSurvey, { isNumber = false } = {}): string {
  const trimmed = survey.padded > 0 ? `trim(${column})` : column;
  const nothing = [...survey.nothingTexts, ...survey.openEndTexts];
  const told = nothing.length === 0 ? trimmed : `null_if(${[trimmed, ...nothing.map(quotedText)].join(', ')})`;
  return isNumber && survey.pointZeros > 0 ? `replace(${told}, '.0', '')` : told;
}

const ISO = 'YYYY-MM-DD';

/** Days: a time of day is left out. */
export function readDays(survey: ValueSurvey, path: string): Verdict {
  const found = formatOf(survey);
  if ('isOpen' in found) return found;
  const { format, count, forms, also = '' } = found;
  const timed = forms.filter(({ time }) => time !== '');
  const says = `${counts(count, survey)} are dates ${format}${also}`;
  if (format.includes('RR') && path.includes('birth')) {
    return {
      isOpen: true,
      says: `${says}, which do not say the century`,
      candidates: [`to_date(…, ${quotedText(format)}, 10)`],
    };
  }
  if (timed.length === 0) {
    const sql = (column: string) => {
      const text = cleaned(column, survey);
      return format === ISO ? text : `to_date(${text}, ${quotedText(format)})`;
    };
    return { isOpen: false, sql, says };
  }
  if (forms.some(({ hasZone, isMidnight }) => hasZone && !isMidnight)) {
    return { isOpen: true, says: `${says} with times in UTC, whose day elsewhere may be another`, candidates: [] };
  }
  const time = timeOf(forms);
  if (time === undefined) return { isOpen: true, says: `${says}, with times in several forms`, candidates: [] };
  const sql = (column: string) => `to_date(${cleaned(column, survey)}, ${quotedText(`${format}${time}`)})`;
  const left = forms.every(({ isMidnight }) => isMidnight) ? '' : ', their time of day left out';
  return { isOpen: false, sql, says: `${says}${left}` };
}

/** Moments: as they stand where they say their zone, otherwise by the zone that the command was given. */
export function readTimes(survey: ValueSurvey, { timeZone }: { timeZone: string | undefined }): Verdict {
  const found = formatOf(survey);
  if ('isOpen' in found) return found;
  const { format, count, forms } = found;
  const says = `${counts(count, survey)} are times ${format}`;
  const time = timeOf(forms);
  if (time === undefined)
    return { isOpen: true, says: `${says} in several forms, or days without a time`, candidates: [] };
  const hasFraction = time.endsWith('.FF');
  const hasZone = forms.every((form) => form.hasZone);
  if (format === ISO && hasZone && !hasFraction) {
    return { isOpen: false, sql: (column) => cleaned(column, survey), says: `${says} in a zone that they name` };
  }
  const zone = hasZone ? 'UTC' : timeZone;
  const call = (column: string, name: string) =>
    `to_datetime(${cleaned(column, survey)}, ${[`${format}${time}`, name, ...(hasFraction ? ['cut'] : [])].map(quotedText).join(', ')})`;
  if (zone !== undefined) return { isOpen: false, sql: (column) => call(column, zone), says: `${says}${time}` };
  return {
    isOpen: true,
    says: `${says} without a time zone: give --time-zone`,
    candidates: [call('…', 'Europe/London')],
  };
}

interface FoundFormat {
  format: string;
  count: number;
  forms: readonly DateForm[];
  /** Why it is not the other one. */
  also?: string;
}

/** Of six digits all may be days in two formats: it is the one in which none is to come, if some are in the other. */
function inThePast({ dates }: ValueSurvey, formats: readonly string[]): FoundFormat | undefined {
  const found = formats.map((format) => ({
    format,
    toCome: dates.filter(({ future = [] }) => future.includes(format)).length,
    forms: dates.filter(({ formats: all }) => all.includes(format)),
  }));
  const [past, other] = found.sort((one, next) => one.toCome - next.toCome);
  if (past === undefined || other === undefined || past.toCome > 0 || other.toCome === 0) return undefined;
  const also = `; as ${other.format}, ${grouped(other.toCome)} of them would be to come`;
  return { format: past.format, count: past.forms.length, forms: past.forms, also };
}

/** The one format of all dates, or why they have none. */
function formatOf(survey: ValueSurvey): Verdict | FoundFormat {
  const formats = new Map<string, number>();
  for (const { formats: some } of survey.dates) {
    for (const format of some) formats.set(format, (formats.get(format) ?? 0) + 1);
  }
  const [best, other] = [...formats].sort(([, one], [, next]) => next - one);
  if (best === undefined || best[1] * 10 < telling(survey) * 9) {
    return { isOpen: true, says: `only ${counts(best?.[1] ?? 0, survey)} are dates in one format`, candidates: [] };
  }
  const isClear =
    other === undefined || (best[1] === survey.dates.length ? other[1] < best[1] : other[1] * 2 < best[1]);
  const past = isClear ? undefined : inThePast(survey, [best[0], other[0]]);
  if (past !== undefined) return past;
  if (!isClear) {
    const candidates = [best[0], other[0]].map((format) => `to_date(…, ${quotedText(format)})`);
    return { isOpen: true, says: `its dates may be ${best[0]} or ${other[0]}`, candidates };
  }
  return { format: best[0], count: best[1], forms: survey.dates.filter((form) => form.formats.includes(best[0])) };
}

/** What stands behind the day, if it is the same everywhere. */
function timeOf(forms: readonly DateForm[]): string | undefined {
  const times = [...new Set(forms.map(({ time }) => time))];
  return times.length === 1 && times[0] !== '' ? times[0] : undefined;
}

/** Fields of money; other decimals are not given two decimals. */
const MONEY = /amount|balance|sum|gross/;

/** Balances: where debts are positive, and where they are negative, the numbers look the same. */
export function readBalances(column: JudgedValues): Verdict {
  const verdict = readAmounts(column, 'balance');
  if (verdict.isOpen) return { ...verdict, says: `${verdict.says}; a debt has to be negative` };
  const candidates = [verdict.sql('…'), `negate_money(${verdict.sql('…')})`];
  return { isOpen: true, says: `${verdict.says}: a debt has to be negative, which only their owner knows`, candidates };
}

/**
 * Amounts and other decimals: with the words that say how they are written, where several readings are possible. Whole ones
 * that are filled with zeros may be hundredths.
 */
export function readAmounts({ survey, name: header = '' }: JudgedValues, path: string): Verdict {
  const { amounts } = survey;
  const says = `${counts(amounts.length, survey)} are numbers`;
  if (amounts.length * 10 < telling(survey) * 9) return { isOpen: true, says: `only ${says}`, candidates: [] };
  const has = (sign: string) => amounts.some((amount) => amount.sign === sign);
  if (has('comma') && has('point')) {
    return { isOpen: true, says: `${says}, some with a decimal comma and some with a point`, candidates: [] };
  }
  if (has('either') && !has('comma') && !has('point')) {
    const candidates = ["to_money(…, 'comma')", "to_money(…, 'point')"];
    return { isOpen: true, says: `${says} whose comma may stand before decimals or between thousands`, candidates };
  }
  if (amounts.some(({ marks }) => marks.includes('credit') || marks.includes('debit'))) {
    const candidates = ["to_money(…, 'cr-positive')", "to_money(…, 'cr-negative')"];
    return { isOpen: true, says: `${says}, and CR or DR do not say which ones are negative`, candidates };
  }
  const isMinor = wordsOf(header).some((word) => MINOR_WORDS.has(word)) && !has('comma') && !has('point');
  const isFilled = survey.wholeNumbers > 0 && survey.leadingZeros * 2 > telling(survey);
  if (MONEY.test(path) && isFilled && !isMinor && amounts.every(({ sign: one }) => one === 'none')) {
    const candidates = ["to_money(…, 'minor')", 'to_money(…)'];
    return { isOpen: true, says: `${says}, whole and filled with zeros: they may be pence or cents`, candidates };
  }
  if (!isMinor && amounts.every(({ isPlain }) => isPlain))
    return { isOpen: false, sql: (column) => cleaned(column, survey), says };
  const sign = isMinor ? 'minor' : has('comma') ? 'comma' : has('either') ? 'point' : undefined;
  const style = sign === undefined ? '' : `, ${quotedText(sign)}`;
  const name = MONEY.test(path) ? 'to_money' : 'to_decimal';
  const sql = (column: string) => `${name}(${cleaned(column, survey)}${style})`;
  return { isOpen: false, sql, says: `${says}${isMinor ? ', in hundredths' : ''}${formsOf(survey)}` };
}

function formsOf({ amounts }: ValueSurvey): string {
  const marks: readonly [string, (amount: ValueSurvey['amounts'][number]) => boolean][] = [
    ['a minus behind', ({ marks: all }) => all.includes('minus-after')],
    ['parentheses', ({ marks: all }) => all.includes('parentheses')],
    ['a currency', ({ marks: all }) => all.includes('currency')],
    ['a decimal comma', ({ sign }) => sign === 'comma'],
    ['thousands in groups', ({ hasGroups }) => hasGroups],
  ];
  const found = marks.map(([name, holds]) => [name, amounts.filter(holds).length] as const);
  const some = found.filter(([, count]) => count > 0).map(([name, count]) => `${grouped(count)} with ${name}`);
  return some.length === 0 ? '' : `, ${some.join(', ')}`;
}

const counts = (count: number, survey: ValueSurvey) => `${grouped(count)} of ${grouped(telling(survey))} values`;
