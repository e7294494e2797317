const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;
/** What a spreadsheet calls day 0, from 1 March 1900 on: it takes 1900 for a leap year. */
const DAY_0_MS = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904_MS = Date.UTC(1904, 0, 1);
const FIRST_DAY_AFTER_LEAP_DAY = 61;
/** 31 December 9999. */
const LAST_DAY = 2_958_465;

/** The text of a number that is a date, by its days: `2026-04-05`, `2026-04-05 14:30:00` or, of a time, `14:30:00`. */
export function textOfDays(days: number, isFrom1904: boolean): string | undefined {
  if (!(days >= 0 && days < LAST_DAY + 1)) return undefined;
  const seconds = Math.round(days * DAY_S);
  const date = Math.floor(seconds / DAY_S);
  const time = new Date((seconds % DAY_S) * 1_000).toISOString().slice(11, 19);
  if (date === 0 && !isFrom1904) return time;
  const isBeforeLeapDay = !isFrom1904 && date < FIRST_DAY_AFTER_LEAP_DAY;
  if (isBeforeLeapDay && date === FIRST_DAY_AFTER_LEAP_DAY - 1) return undefined;
  const dayMs = (isFrom1904 ? DAY_0_OF_1904_MS : DAY_0_MS) + (date + (isBeforeLeapDay ? 1 : 0)) * DAY_MS;
  const day = new Date(dayMs).toISOString().slice(0, 10);
  return seconds % DAY_S === 0 ? day : `${day} ${time}`;
}

/** No double has more digits that mean something; a spreadsheet writes 1.1 as 1.1000000000000001. */
const MAX_DIGITS = 15;

/** The digits of a number as its file writes them, without those that only the double behind it has. */
export function textOfNumber(written: string): string {
  const isWhole = /^-?\d+$/.test(written);
  const digits = written.replace(/[eE].*$/, '').replaceAll(/^-?0*\.?0*|\./g, '').length;
  return isWhole || (digits <= MAX_DIGITS && !/e/i.test(written)) ? written : String(Number(written));
}

/** The numbers of the formats of dates that need no code; between them are times, and spans of time, which are numbers. */
const DATE_FORMATS = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const;

/** Whether a format shows a number as a date or as a time of day. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return DATE_FORMATS.some(([first, last]) => id >= first && id <= last);
  const [section = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';');
  const isSpan = /\[(?:h+|m+|s+)\]/i.test(section);
  return !isSpan && /[ymdhs]/i.test(section.replaceAll(/\[[^\]]*\]|general/gi, ''));
}

/** Text as a spreadsheet means it: `_x000D_` is the character of that number. */
export function textOfString(written: string): string {
  if (!written.includes('_x')) return written;
  return written.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
