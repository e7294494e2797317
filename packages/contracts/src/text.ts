import { z } from 'zod';
import type { FieldCode } from './error-codes.ts';
import { LIMITS } from './limits.ts';

const SOMETHING_VISIBLE = /\S/;
const UPPER_SNAKE = /^[A-Z][A-Z0-9_]*$/;

interface Format {
  /** Runs in linear time, and only on strings of a sane length: on megabytes even such an expression may overflow. */
  pattern: RegExp;
  maximum: number;
  code: FieldCode;
  detail: string;
}

/** Longer than `maximum` characters in any case: a character is one or two units. */
const isFarTooLong = (value: string, maximum: number) => value.length > maximum * 2;

/** A string of one form; anything else is the error `code`, the empty string and one far too long included. */
export function format({ pattern, maximum, code, detail }: Format): z.ZodString {
  return z
    .string()
    .refine((value) => !isFarTooLong(value, maximum) && pattern.test(value), { error: detail, params: { code } })
    .meta({ pattern: pattern.source });
}

/** Text of 1 to `maximum` characters, not only white space (`blank`, `max_length`). */
export function text(maximum: number): z.ZodString {
  return z
    .string()
    .max(maximum)
    .refine((value) => SOMETHING_VISIBLE.test(value), { error: 'Must not be blank.', params: { code: 'blank' } })
    .meta({ minLength: 1, pattern: SOMETHING_VISIBLE.source });
}

/** Text that also matches `pattern`, and is `invalid` otherwise; one that is blank or far too long is only that. */
export function shapedText(maximum: number, pattern: RegExp, detail: string): z.ZodString {
  return text(maximum)
    .refine((value) => isFarTooLong(value, maximum) || pattern.test(value) || !SOMETHING_VISIBLE.test(value), {
      error: detail,
      params: { code: 'invalid' },
    })
    .meta({ pattern: pattern.source });
}

/** A code of the caller's vocabulary, such as IMPORTED_CHARGE: any is accepted as long as it is UPPER_SNAKE. */
export function upperSnake(): z.ZodString {
  return shapedText(
    LIMITS.upper_snake,
    UPPER_SNAKE,
    'Must be capital letters, digits and underscores, starting with a letter.',
  );
}
