/** A decimal number, exactly: so many units of its last decimal place. */
export interface Decimal {
  units: bigint;
  places: number;
}

/** Longer numbers are refused: no field takes them, and reading them takes time. */
const MAX_DIGITS = 64;
const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** Reads a number as the service takes it: digits, perhaps a minus in front, perhaps a point. */
export function plainDecimal(text: string): Decimal | undefined {
  return text.length <= MAX_DIGITS && PLAIN.test(text) ? decimalOf(text) : undefined;
}

function decimalOf(plain: string): Decimal {
  const [integer = '', fraction = ''] = plain.split('.');
  return { units: BigInt(integer + fraction), places: fraction.length };
}

/** Writes all decimal places, and at least `minimumPlaces`. */
export function writeDecimal({ units, places }: Decimal, minimumPlaces = 0): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const [integer, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  const written = fraction.padEnd(minimumPlaces, '0');
  return `${units < 0n ? '-' : ''}${integer}${written && '.'}${written}`;
}

/** Writes money: two decimal places, and more where others than zeros are in them. */
export function writeMoney({ units, places }: Decimal): string {
  if (places > 2 && units % 10n === 0n) return writeMoney({ units: units / 10n, places: places - 1 });
  return writeDecimal({ units, places }, 2);
}

export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places);
  return { units: unitsAt(one, places) + unitsAt(other, places), places };
}

export const negateDecimal = ({ units, places }: Decimal): Decimal => ({ units: -units, places });

/** The product at so many decimal places; a half is rounded away from zero, as bills are. */
export function multiplyDecimals(one: Decimal, other: Decimal, places: number): Decimal {
  const exact = { units: one.units * other.units, places: one.places + other.places };
  if (exact.places <= places) return { units: unitsAt(exact, places), places };
  const cut = 10n ** BigInt(exact.places - places);
  const half = exact.units < 0n ? -cut / 2n : cut / 2n;
  return { units: (exact.units + half) / cut, places };
}

/** -1, 0 or 1, as the first is less than, equal to or greater than the second. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const { units } = addDecimals(one, negateDecimal(other));
  return units < 0n ? -1 : Number(units > 0n);
}

/** How many units of the wanted decimal place it is; the place is not before its own. */
export const unitsAt = ({ units, places }: Decimal, wanted: number): bigint => units * 10n ** BigInt(wanted - places);

/** How a system writes its amounts. What is undefined is read only where it can be read in one way. */
export interface AmountStyle {
  decimalSign?: 'point' | 'comma';
  /** The sign of an amount marked CR; DR is the opposite. */
  credit?: 'negative' | 'positive';
  /** In hundredths of the currency: pence, cents. */
  isMinor?: boolean;
}

/** Why an amount cannot be read. */
export type AmountFault = 'no-number' | 'too-long' | 'two-signs' | 'point-or-comma' | 'credit-or-debit';

export type AmountReading = { value: Decimal; fault?: undefined } | { value?: undefined; fault: AmountFault };

/** Most amounts are written so, and in one way: the rest is looked at when they are not. */
const USUAL = /^-?\d{1,15}(?:\.\d{1,2})?$/;
const PARTS = /^([^\d.,]*)([.,]?\d(?:[\d.,'’\s]*\d)?[.,]?)([^\d.,]*)$/u;
/** With thousands in groups, all behind the same sign, or without. */
const NUMBER = /^(?:\d*|[1-9]\d{0,2}([,'’\s])\d{3}(?:\1\d{3})*)(?:\.\d*)?$/u;

/**
 * Reads an amount as people and systems write it: `48.20-`, `(48.20)`, `£48.20`, `48.20 CR`, `+48.20`, `1.234,56`,
 * `1 234,56`. No digit is lost.
 */
export function readAmount(text: string, style: AmountStyle = {}): AmountReading {
  if (text.length > MAX_DIGITS) return { fault: 'too-long' };
  const readingOf = (decimal: Decimal) => ({
    value: style.isMinor === true ? { ...decimal, places: decimal.places + 2 } : decimal,
  });
  if (USUAL.test(text) && style.decimalSign !== 'comma') return readingOf(decimalOf(text));
  const [, before = '', digits, after = ''] = PARTS.exec(text.trim()) ?? [];
  if (digits === undefined) return { fault: 'no-number' };
  const sign = readSign(`${before}#${after}`, style);
  if (sign.fault !== undefined) return sign;
  const signs = style.decimalSign === undefined ? (['point', 'comma'] as const) : [style.decimalSign];
  const [value, other] = new Set(
    signs.map((decimalSign) => readDigits(digits, decimalSign)).filter((one) => one !== ''),
  );
  if (value === undefined) return { fault: 'no-number' };
  if (other !== undefined) return { fault: 'point-or-comma' };
  const decimal = decimalOf(value);
  return readingOf(sign.isNegative ? negateDecimal(decimal) : decimal);
}

/** The number with a point and nothing else between its digits; '': it is not written so. */
function readDigits(digits: string, decimalSign: 'point' | 'comma'): string {
  const isComma = decimalSign === 'comma';
  const turned = isComma ? digits.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : digits;
  return NUMBER.test(turned) ? turned.replace(/[,'’\s]/gu, '').replace(/\.$/, '') : '';
}

const LEDGER_SIDE = /(?<!\p{L})(?:CR|DR)(?!\p{L})/iu;
const CURRENCY = /\p{Lu}{0,2}\p{Sc}|(?<!\p{L})[A-Z]{3}(?!\p{L})/u;
const CURRENCY_CODES = new Set(Intl.supportedValuesOf('currency'));

type SignReading = { isNegative: boolean; fault?: undefined } | { fault: AmountFault };

/** @param marks what stands before and behind the number, which is a `#` */
function readSign(marks: string, { credit }: AmountStyle): SignReading {
  const [, bracketed] = /^\s*\((.*)\)\s*$/u.exec(marks) ?? [];
  const written = bracketed ?? marks;
  const side = LEDGER_SIDE.exec(written)?.[0].toUpperCase();
  const sign = written.replace(LEDGER_SIDE, '').replace(CURRENCY, withoutCurrency).replace(/[\s#]/gu, '');
  if (!/^[-+−]*$/u.test(sign)) return { fault: 'no-number' };
  if (Number(bracketed !== undefined) + Number(side !== undefined) + sign.length > 1) return { fault: 'two-signs' };
  if (side !== undefined && credit === undefined) return { fault: 'credit-or-debit' };
  const isNegativeSide = side !== undefined && (side === 'CR') === (credit === 'negative');
  return { isNegative: bracketed !== undefined || isNegativeSide || (sign !== '' && sign !== '+') };
}

/** Three letters that are no currency are a unit: they stay, and the amount is none. */
const withoutCurrency = (mark: string) => (/\p{Sc}/u.test(mark) || CURRENCY_CODES.has(mark) ? '' : mark);
