import { decimalText, LIMITS } from '@causeway/contracts';

const DECIMAL = new RegExp(`^-?\\d{1,20}(?:\\.\\d{1,${LIMITS.quantity_decimal_places}})?$`);
const PLACES = LIMITS.quantity_decimal_places;

/** A decimal number that was sent, as a whole number of its last decimal place; undefined if it is none. */
export function exact(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Math.abs(value) < SMALL) {
    const pence = Math.round(value * 100);
    // Nearly every amount: pence that are written as this number, and no other.
    if (pence / 100 === value) return BigInt(pence) * A_PENNY;
  }
  const isShort = typeof value === 'string' && value.length <= LIMITS.decimal_string;
  if (!isShort && typeof value !== 'number') return undefined;
  const text = decimalText(value);
  if (!DECIMAL.test(text)) return undefined;
  const [integer = '', fraction = ''] = text.split('.');
  return BigInt(integer + fraction.padEnd(PLACES, '0'));
}

const SMALL = 1e9;
const A_PENNY = 10n ** BigInt(PLACES - LIMITS.money_decimal_places);

/** The sum of decimal numbers that were sent; undefined if one of them is none. */
export function exactSum(values: readonly unknown[]): bigint | undefined {
  let sum = 0n;
  for (const value of values) {
    const next = exact(value);
    if (next === undefined) return undefined;
    sum += next;
  }
  return sum;
}

/** As people read it: without zeros at the end beyond two decimals. */
export function exactText(sum: bigint): string {
  const digits = (sum < 0n ? -sum : sum).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${fraction}`;
}

/** Half of the last decimal place of money: what rounding to it changes at most. */
export const HALF_A_PENNY = A_PENNY / 2n;
