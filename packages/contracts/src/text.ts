import { z } from 'zod';
import {
  faultOfIdentifier,
  faultOfLine,
  faultOfLookup,
  faultOfProse,
  isVisible,
  type TextFault,
} from './characters.ts';
import type { FieldCode } from './field-codes.ts';
import { LIMITS } from './limits.ts';

const SOMETHING_VISIBLE = '\\S';
const UPPER_SNAKE = /^[A-Z][A-Z0-9_]*$/;

interface Format {
  /** Runs in linear time, and only on strings of a sane length: on megabytes even such an expression may overflow. */
  pattern: RegExp;
  /** What the document says of it where the pattern is not portable: it takes all that `pattern` takes. */
  published?: string;
  /** A further rule, in words in `detail`. */
  accepts?: (value: string) => boolean;
  maximum: number;
  code: FieldCode;
  detail: string;
}

/** Longer than `maximum` characters in any case: a character is one or two units. */
const isFarTooLong = (value: string, maximum: number) => value.length > maximum * 2;

/** A string of one form; anything else is the error `code`, the empty string and one far too long included. */
export function format({ pattern, published, accepts, maximum, code, detail }: Format): z.ZodString {
  const isOfForm = (value: string) =>
    !isFarTooLong(value, maximum) && pattern.test(value) && (accepts === undefined || accepts(value));
  return z
    .string()
    .refine(isOfForm, { error: detail, params: { code } })
    .meta({ pattern: published ?? pattern.source });
}

/**
 * One line of text of 1 to `maximum` characters, not only white space (`blank`, `max_length`), without control, invisible
 * or unassigned characters (`invalid_characters`). White space around it stays: it identifies nothing.
 */
export function text(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfLine);
}

/** Text of many lines: as `text`, but of control characters it may hold tabs and line breaks, and invisible ones stay. */
export function prose(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfProse);
}

/**
 * A text by which things are told apart: two that look the same are the same. As `text`, and without white space around
 * it (`surrounding_white_space`) and in Unicode's form NFKC (`not_normalised`). It is refused otherwise, never changed.
 */
export function identifier(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfIdentifier);
}

/**
 * An identifier of something that may be stored already, perhaps under earlier rules: any text that can be stored. Where
 * it names something anew, the domain refuses what `identifier` would (`domain/new-identifiers.ts`).
 */
export function identifierOfStored(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfLookup);
}

/** Text that also matches `pattern`, and is `invalid` otherwise; one that is blank or far too long is only that. */
export function shapedText(maximum: number, pattern: RegExp, detail: string): z.ZodString {
  const fault: TextFault = { code: 'invalid', detail };
  return textWithout(maximum, (value) => (pattern.test(value) ? undefined : fault)).meta({ pattern: pattern.source });
}

/** A code of the caller's vocabulary, such as IMPORTED_CHARGE: any is accepted as long as it is UPPER_SNAKE. */
export function upperSnake(): z.ZodString {
  return shapedText(
    LIMITS.upper_snake,
    UPPER_SNAKE,
    'Must be capital letters, digits and underscores, starting with a letter.',
  );
}

const BLANK: TextFault = { code: 'blank', detail: 'Must not be blank.' };

function textWithout(maximum: number, faultOf: (value: string) => TextFault | undefined): z.ZodString {
  return z
    .string()
    .max(maximum)
    .check(({ value, issues }) => {
      if (isFarTooLong(value, maximum)) return;
      const fault = isVisible(value) ? faultOf(value) : BLANK;
      if (fault === undefined) return;
      issues.push({
        code: 'custom',
        message: fault.detail,
        params: { code: fault.code },
        input: value,
        continue: true,
      });
    })
    .meta({ minLength: 1, pattern: SOMETHING_VISIBLE });
}
