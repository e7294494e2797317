/** No sane client sends a longer number: it is refused, whatever its digits are. */
const MAX_LENGTH = 1_000;
/** A shorter number always comes back from a double as it was written, unless it is tiny or huge. */
const SUSPICIOUS_LENGTH = 16;
const LONG_POWER = /\d[eE][+-]?\d{3}/;
/** No double is written with more significant digits in the shortest form that is still itself. */
const MAX_DIGITS = 17;
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const [PLUS, MINUS, POINT, ZERO, NINE, E] = [43, 45, 46, 48, 57, 101];
/** The bit in which the letters of ASCII differ in case. */
const LOWER_CASE = 32;

/** The index after the number of JSON that begins here; -1 if none does. */
export function endOfNumber(text: string, start: number): number {
  const integer = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = endOfDigits(text, integer);
  if (at === integer || (at > integer + 1 && text.charCodeAt(integer) === ZERO)) return -1;
  if (text.charCodeAt(at) === POINT) {
    const fraction = at + 1;
    at = endOfDigits(text, fraction);
    if (at === fraction) return -1;
  }
  if ((text.charCodeAt(at) | LOWER_CASE) !== E) return at;
  const sign = text.charCodeAt(at + 1);
  const power = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  at = endOfDigits(text, power);
  return at === power ? -1 : at;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  for (let digit = text.charCodeAt(at); digit >= ZERO && digit <= NINE; digit = text.charCodeAt(at)) at += 1;
  return at;
}

/**
 * Whether the double that a number is read as is written as the same number: `99999999999.990001` becomes 99999999999.99,
 * so that anyone who checks its decimals afterwards finds two; `1e400` becomes infinite, which no JSON can say.
 */
export function survivesDouble(number: string): boolean {
  if (number.length < SUSPICIOUS_LENGTH && !LONG_POWER.test(number)) return true;
  if (number.length > MAX_LENGTH) return false;
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  if (String(value) === number) return true;
  const written = decimalOf(number);
  if (written === undefined || written.digits.length > MAX_DIGITS) return false;
  const read = decimalOf(String(value));
  return read !== undefined && read.digits === written.digits && read.exponent === written.exponent;
}

/** What a refusal says of a number that does not survive. */
export function detailOf(number: string): string {
  return Number.isFinite(Number(number))
    ? 'This number has more digits than a double keeps: write it with 15 significant digits at most.'
    : 'This number is larger than a double can be.';
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
