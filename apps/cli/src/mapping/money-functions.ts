import {
  type AmountFault,
  type AmountStyle,
  addDecimals,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  negateDecimal,
  plainDecimal,
  readAmount,
  unitsAt,
  writeDecimal,
  writeMoney,
} from '../values/decimal.ts';
import { type Argument, type Read, type SqlFunction, textOf, wholeNumberOf } from './sql-function.ts';

const MAX_PLACES = 20;

const STYLE_WORDS: Readonly<Record<string, AmountStyle>> = {
  point: { decimalSign: 'point' },
  comma: { decimalSign: 'comma' },
  'cr-negative': { credit: 'negative' },
  'cr-positive': { credit: 'positive' },
  minor: { isMinor: true },
};

const AMOUNT_FAULTS: Readonly<Record<AmountFault, string>> = {
  'no-number': 'Must be a decimal number, such as 12.30.',
  'too-long': 'Is too long for a number.',
  'two-signs': 'Has more than one sign.',
  'point-or-comma': `May have decimals or thousands: give the style 'point' or 'comma', which says what stands before decimals.`,
  'credit-or-debit': `CR may be either sign: give the style 'cr-negative' or 'cr-positive'.`,
};

/** @throws RangeError where a word is none */
function styleOf(words: Argument): AmountStyle {
  const style: AmountStyle = {};
  for (const word of (textOf(words) ?? '').split(/[\s,]+/).filter((one) => one !== '')) {
    const known = STYLE_WORDS[word.toLowerCase()];
    if (known === undefined) {
      throw new RangeError(`"${word}" is no style. Give one or more of ${Object.keys(STYLE_WORDS).join(', ')}.`);
    }
    Object.assign(style, known);
  }
  return style;
}

function amountReader(write: (decimal: Decimal) => string): SqlFunction['read'] {
  return ([value = null, style = null]) => {
    if (typeof value === 'number') return { fault: ROUNDED };
    const read = readAmount(textOf(value) ?? '', styleOf(style));
    return read.fault === undefined ? { value: write(read.value) } : { fault: AMOUNT_FAULTS[read.fault] };
  };
}

const ROUNDED =
  'Is an SQLite number, which is rounded. Keep money as text: sum_money, add_money and multiply_money are exact.';
const NOT_PLAIN = 'Must be a plain decimal number, such as 12.30: read it with to_money first.';

/** Applies exact arithmetic to values as `to_money` and `to_decimal` write them. */
function exactly(values: readonly Argument[], compute: (decimals: Decimal[]) => string | number): Read {
  if (values.some((value) => typeof value === 'number')) return { fault: ROUNDED };
  const decimals = values.map((value) => plainDecimal((textOf(value) ?? '').trim()));
  const known = decimals.filter((decimal) => decimal !== undefined);
  return known.length === decimals.length ? { value: compute(known) } : { fault: NOT_PLAIN };
}

const ZERO: Decimal = { units: 0n, places: 0 };
const total = (decimals: readonly Decimal[]) => decimals.reduce(addDecimals, ZERO);

export const MONEY_FUNCTIONS: readonly SqlFunction[] = [
  { name: 'to_money', least: 1, most: 2, values: 1, read: amountReader(writeMoney) },
  { name: 'to_decimal', least: 1, most: 2, values: 1, read: amountReader(writeDecimal) },
  {
    name: 'add_money',
    least: 2,
    most: Number.POSITIVE_INFINITY,
    values: Number.POSITIVE_INFINITY,
    read: (values) => exactly(values, (decimals) => writeMoney(total(decimals))),
  },
  {
    name: 'negate_money',
    least: 1,
    most: 1,
    values: 1,
    read: (values) => exactly(values, (decimals) => writeMoney(negateDecimal(total(decimals)))),
  },
  {
    name: 'multiply_money',
    least: 3,
    most: 3,
    values: 2,
    read([one = null, other = null, places = null]) {
      const wanted = wholeNumberOf(places, { most: MAX_PLACES, what: 'Its decimal places' });
      return exactly([one, other], ([first = ZERO, second = ZERO]) =>
        writeDecimal(multiplyDecimals(first, second, wanted)),
      );
    },
  },
  {
    name: 'compare_money',
    least: 2,
    most: 2,
    values: 2,
    read: (values) => exactly(values, ([one = ZERO, other = ZERO]) => compareDecimals(one, other)),
  },
];

const SUM_PLACES = 20;

/** The sum and one more value, in units of the 20th decimal place; or why the value cannot be summed. */
export function addToSum(sum: bigint, value: Argument, isLeaving: boolean): { sum: bigint } | { fault: string } {
  if (typeof value === 'number') return { fault: ROUNDED };
  const decimal = plainDecimal((textOf(value) ?? '').trim());
  if (decimal === undefined || decimal.places > SUM_PLACES) return { fault: NOT_PLAIN };
  const units = unitsAt(decimal, SUM_PLACES);
  return { sum: isLeaving ? sum - units : sum + units };
}

export const writeSum = (sum: bigint): string => writeMoney({ units: sum, places: SUM_PLACES });
