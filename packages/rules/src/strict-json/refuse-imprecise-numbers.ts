import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfString,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-characters.ts';
import { JsonRefusal } from './json-refusal.ts';

/** A shorter JSON number always comes back from a double as it was written, unless it is tiny. */
const SUSPICIOUS_LENGTH = 16;
const TINY = /\d[eE]-\d{3}/;
/** A number with this many significant digits survives, unless it is tiny or huge. */
const SURVIVING_DIGITS = 15;
/** A number without an exponent that has fewer characters is neither tiny nor huge. */
const MODERATE_LENGTH = 300;
/** No sane client sends a longer number: it is refused, whatever its digits are. */
const MAX_LENGTH = 1_000;
/** No double is written with more significant digits in the shortest form that is still itself. */
const MAX_DIGITS = 17;
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MAX_SHOWN_KEY_LENGTH = 100;

/**
 * Refuses, with `number_too_precise` and the field to blame, JSON in which a number is another one after it was read:
 * `99999999999.990001` becomes 99999999999.99 in a double, so that whoever checks its decimals afterwards finds two.
 * The text is valid JSON. One without long numbers costs one search.
 */
export function refuseImpreciseNumbers(json: string): void {
  if (!hasLongRunOfDigits(json) && !hasTinyNumber(json)) return;
  const at: (string | number)[] = [];
  let string = '';
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) {
      const start = index + 1;
      index = endOfString(json, index);
      if (index === -1) return;
      string = json.slice(start, Math.min(index, start + MAX_SHOWN_KEY_LENGTH));
    } else if (character === OPEN_BRACE) at.push('');
    else if (character === OPEN_BRACKET) at.push(0);
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) at.pop();
    else if (character === COLON) at[at.length - 1] = string;
    else if (character === COMMA) {
      const last = at.at(-1);
      if (typeof last === 'number') at[at.length - 1] = last + 1;
    } else if (character === MINUS || (character >= ZERO && character <= NINE)) {
      const end = endOfNumber(json, index);
      if (!survives(json, index, end)) throw tooPrecise(at);
      index = end - 1;
    }
  }
}

/** Looks at one character of sixteen: no longer run of digits lies between two of them. */
function hasLongRunOfDigits(json: string): boolean {
  for (let index = SUSPICIOUS_LENGTH - 1; index < json.length; index += SUSPICIOUS_LENGTH) {
    if (!isOfNumber(json.charCodeAt(index))) continue;
    let [first, last] = [index, index];
    while (last - first < SUSPICIOUS_LENGTH && isOfNumber(json.charCodeAt(first - 1))) first -= 1;
    while (last - first < SUSPICIOUS_LENGTH && isOfNumber(json.charCodeAt(last + 1))) last += 1;
    if (last - first >= SUSPICIOUS_LENGTH - 1) return true;
  }
  return false;
}

const isOfNumber = (character: number) => (character >= ZERO && character <= NINE) || character === POINT;

function hasTinyNumber(json: string): boolean {
  return (json.includes('e-') || json.includes('E-')) && TINY.test(json);
}

const [PLUS, MINUS, POINT, ZERO, NINE, E] = [43, 45, 46, 48, 57, 101];
/** The bit in which the letters of ASCII differ in case. */
const LOWER_CASE = 32;

/** The index after the number's last character, or after more characters than a number may have. */
function endOfNumber(json: string, start: number): number {
  const most = Math.min(json.length, start + MAX_LENGTH + 1);
  let index = start + 1;
  while (index < most && isInNumber(json.charCodeAt(index))) index += 1;
  return index;
}

const isInNumber = (character: number) =>
  isOfNumber(character) || (character | LOWER_CASE) === E || character === PLUS || character === MINUS;

function survives(json: string, start: number, end: number): boolean {
  if (end - start > MAX_LENGTH) return false;
  return hasFewDigits(json, start, end) || survivesDouble(json.slice(start, end));
}

/** Whether few digits alone make the number survive: most numbers do, and nothing is copied for them. */
function hasFewDigits(json: string, start: number, end: number): boolean {
  if (end - start > MODERATE_LENGTH) return false;
  let digits = 0;
  for (let index = start; index < end; index += 1) {
    const character = json.charCodeAt(index);
    if ((character | LOWER_CASE) === E) return false;
    // Leading zeros are not significant.
    if (character > ZERO || (character === ZERO && digits > 0)) digits += 1;
    if (digits > SURVIVING_DIGITS) return false;
  }
  return true;
}

/**
 * Whether the double that a number is read as is written as the same number. One too large for any is left to the
 * schemas.
 */
export function survivesDouble(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value) || String(value) === number) return true;
  const written = decimalOf(number);
  if (written === undefined || written.digits.length > MAX_DIGITS) return false;
  const read = decimalOf(String(value));
  return read !== undefined && read.digits === written.digits && read.exponent === written.exponent;
}

/** Its significant digits, and the power of ten of the last one; undefined where it is no finite number. */
function decimalOf(number: string): { digits: string; exponent: number } | undefined {
  const [, integer, fraction = '', power = '0'] = PARTS.exec(number) ?? [];
  if (integer === undefined) return undefined;
  const all = integer + fraction;
  let [first, end] = [0, all.length];
  while (first < end && all.charCodeAt(first) === ZERO) first += 1;
  while (end > first && all.charCodeAt(end - 1) === ZERO) end -= 1;
  if (first === end) return { digits: '', exponent: 0 };
  return { digits: all.slice(first, end), exponent: Number(power) - fraction.length + (all.length - end) };
}

function tooPrecise(at: readonly (string | number)[]): JsonRefusal {
  const detail = `This number has more digits than a double keeps: write it with ${MAX_DIGITS - 2} significant digits at most.`;
  const attr = at.join('.');
  return new JsonRefusal('number_too_precise', detail, attr === '' ? undefined : attr);
}
