/** A word in place of a missing value, as programs and spreadsheets write it; `Null` is a family name. */
export const PLACEHOLDER = /^(?:nan|NaN|None|NULL|N\/A|#[A-Z0-9/]{1,8}[!?]|#N\/A)$/;

/** What a spreadsheet makes of a number that is too long, or whose column has an empty cell. */
export const DAMAGED_NUMBER = /^(?:\d+\.0|\d(?:[.,]\d+)?E\+\d{1,3}|\d{15}0{2,})$/i;

/** How the first byte of a character in UTF-8 looks in Windows-1252, with a second one behind it; or what replaced one. */
export const MAY_BE_DECODED_WRONGLY =
  /\uFFFD|[\u00C2-\u00F4][\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u203A\u20AC\u2122]/;

/** Whether there may be a doubt about a text (behaviour 4.18.1): quick, since nearly no text of any request has one. */
export function mayBeDoubtful(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first >= DIGIT_0 && first <= DIGIT_9) {
    if ((text.endsWith('0') || text.includes('+')) && DAMAGED_NUMBER.test(text)) return true;
  } else if ((first === SMALL_N || first === CAPITAL_N || first === HASH) && PLACEHOLDER.test(text)) {
    return true;
  }
  return MAY_BE_DECODED_WRONGLY.test(text);
}

const codeOf = (character: string) => character.charCodeAt(0);
const [DIGIT_0, DIGIT_9] = [codeOf('0'), codeOf('9')];
const [SMALL_N, CAPITAL_N, HASH] = [codeOf('n'), codeOf('N'), codeOf('#')];
