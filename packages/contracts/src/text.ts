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

// Some check that a pattern is found, others that it is the whole text: it has to be both.
const SOMETHING_VISIBLE = '^[\\s\\S]*\\S[\\s\\S]*$';
const UPPER_SNAKE = /^[A-Z][A-Z0-9_]*$/;

interface Format {
  /**
   * Must run in linear time; only used on strings of a limited length, since even such an expression can overflow on
   * megabytes.
   */
  pattern: RegExp;
  /** The published pattern if `pattern` is not portable (behaviour 2.10.24): it accepts all that `pattern` accepts. */
  published?: string;
  /** A further rule, described in `detail`. */
  accepts?: (value: string) => boolean;
  maximum: number;
  code: FieldCode;
  detail: string;
}

/** Certainly longer than `maximum` characters: a character is one or two code units. */
const isFarTooLong = (value: string, maximum: number) => value.length > maximum * 2;

/** A string of one form; anything else is the error `code`, including the empty string and one that is far too long. */
export function format({ pattern, published, accepts, maximum, code, detail }: Format): z.ZodString {
  const isOfForm = (value: string) =>
    !isFarTooLong(value, maximum) && pattern.test(value) && (accepts === undefined || accepts(value));
  return z
    .string()
    .refine(isOfForm, { error: detail, params: { code } })
    .meta({ pattern: published ?? pattern.source });
}

/**
 * One line of text of 1 to `maximum` characters, not only white space (`blank`, `max_length`), without control,
 * invisible or unassigned characters (`invalid_characters`). Surrounding white space is kept: the text is not an
 * identifier.
 */
export function text(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfLine);
}

/** As `text`, but it may be empty or only white space. */
export function textOrEmpty(maximum: number): z.ZodString {
  return checkedText(maximum, faultOfLine);
}

/** Multi-line text: as `text`, but tabs, line breaks and invisible characters are allowed. */
export function prose(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfProse);
}

/**
 * An identifier: two that look the same must be the same. As `text`, and without surrounding white space
 * (`surrounding_white_space`) and in Unicode form NFKC (`not_normalised`). Otherwise it is refused, never changed.
 */
export function identifier(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfIdentifier);
}

/**
 * An identifier of something that may already be stored: any text that can be looked up. If it introduces something new,
 * the rules of `identifier` apply too (`rules/new-identifiers.ts`).
 */
export function identifierOfStored(maximum: number): z.ZodString {
  return textWithout(maximum, faultOfLookup);
}

/** Text that must also match `pattern`, otherwise `invalid`; blank or far too long text is reported only as such. */
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
  return checkedText(maximum, (value) => (isVisible(value) ? faultOf(value) : BLANK)).meta({
    minLength: 1,
    pattern: SOMETHING_VISIBLE,
  });
}

function checkedText(maximum: number, faultOf: (value: string) => TextFault | undefined): z.ZodString {
  return z
    .string()
    .max(maximum)
    .check(({ value, issues }) => {
      if (isFarTooLong(value, maximum)) return;
      const fault = faultOf(value);
      if (fault === undefined) return;
      issues.push({
        code: 'custom',
        message: fault.detail,
        params: { code: fault.code },
        input: value,
        continue: true,
      });
    });
}
