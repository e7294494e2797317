import { z } from 'zod';
import { LIMITS } from './limits.ts';

/**
 * Whether a number needs at most `places` decimals. Exact below 10^15 divided by 10^places: the quotient of two exact
 * numbers is rounded as the literal was, so that 0.3 passes and 0.1 + 0.2 does not.
 */
export function fitsDecimalPlaces(value: number, places: number): boolean {
  const scale = 10 ** places;
  return Math.round(value * scale) / scale === value;
}

function decimal(limit: number, places: number): z.ZodNumber {
  return z
    .number()
    .gt(-limit)
    .lt(limit)
    .refine((value) => Math.abs(value) >= limit || fitsDecimalPlaces(value, places), {
      error: `Must have at most ${places} decimal places.`,
      params: { code: 'max_decimal_places' },
    });
}

/** An amount of money in a request: a JSON number with at most two decimals, below 10^11 (behaviour 2.2). */
export const Money = decimal(LIMITS.money, LIMITS.money_decimal_places);

/** Units, prices and rates: a JSON number with at most seven decimals, below 10^8 (behaviour 2.2). */
export const Quantity = decimal(LIMITS.quantity, LIMITS.quantity_decimal_places);

/** An amount of money in a response: always two decimals, so that no client ever rounds it. */
export const MoneyString = z.string().meta({ pattern: '^-?\\d+\\.\\d{2}$' });

/** A whole number from `minimum` to `maximum`. */
export function wholeNumber(minimum: number, maximum: number): z.ZodNumber {
  return z
    .number()
    .min(minimum)
    .max(maximum)
    .refine((value) => Number.isInteger(value), { error: 'Must be a whole number.', params: { code: 'invalid' } })
    .meta({ type: 'integer' });
}

interface DecimalStringRules {
  signed: boolean;
  integerDigits: number;
  decimalPlaces: number;
  example: string;
}

function decimalString({ signed, integerDigits, decimalPlaces, example }: DecimalStringRules): z.ZodString {
  const form = signed ? /^-?\d+(?:\.\d+)?$/ : /^\d+(?:\.\d+)?$/;
  const tooLarge = new RegExp(`^-?\\d{${integerDigits + 1}}`);
  const tooPrecise = new RegExp(`\\.\\d{${decimalPlaces + 1}}`);
  const isDecimal = (value: string) => value.length <= LIMITS.decimal_string && form.test(value);
  return z
    .string()
    .refine(isDecimal, {
      error: `Must be a decimal number as a string, such as ${example}.`,
      params: { code: 'invalid' },
    })
    .refine((value) => !isDecimal(value) || !tooLarge.test(value), {
      error: `Must have at most ${integerDigits} digits before the decimal point.`,
      params: { code: 'max_value' },
    })
    .refine((value) => !isDecimal(value) || !tooPrecise.test(value), {
      error: `Must have at most ${decimalPlaces} decimal places.`,
      params: { code: 'max_decimal_places' },
    })
    .meta({ pattern: `^${signed ? '-?' : ''}\\d{1,${integerDigits}}(?:\\.\\d{1,${decimalPlaces}})?$` });
}

/** Money as a string, '-12.30': at most two decimals, below 10^11 (behaviour 2.10, transfer_balance). */
export const BalanceString = decimalString({
  signed: true,
  integerDigits: LIMITS.money_integer_digits,
  decimalPlaces: LIMITS.money_decimal_places,
  example: '-12.30',
});

/** A meter reading as a string, '012345.6': leading zeros as on the dial, at most seven decimals (behaviour 2.2). */
export const ReadingString = decimalString({
  signed: false,
  integerDigits: LIMITS.reading_integer_digits,
  decimalPlaces: LIMITS.quantity_decimal_places,
  example: '12345.6',
});
