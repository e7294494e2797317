import type { z } from 'zod';
import type { FieldError } from './errors.ts';
import { FIELD_CODES, type FieldCode } from './field-codes.ts';
import { LIMITS } from './limits.ts';

type Fault = Pick<FieldError, 'code' | 'detail'>;

const EXPECTED: Record<string, string> = {
  string: 'Must be a string.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  object: 'Must be an object.',
  record: 'Must be an object.',
};

const REQUIRED: Fault = { code: 'required', detail: 'This field is required.' };
const NO_SUCH_FIELD = 'Unknown field: it would be ignored.';
/** Enough of a key to recognise it. */
const MAX_KEY_LENGTH = 128;
const NULL: Fault = { code: 'null', detail: 'Must not be null; leave an optional field out instead.' };

/**
 * Translates zod's issues for the error body: one entry per problem, at most 100 or `maximum`, each with a stable code
 * and the dotted path (behaviour 7.2). An entry contains no input value and no text of zod's.
 */
export function fieldErrorsOf(
  error: z.core.$ZodError,
  input: unknown,
  maximum: number = LIMITS.reported_errors,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const issue of error.issues.flatMap(oneOfEach)) {
    const attr = issue.path.map(String).join('.');
    const { code, detail } = faultOf(issue, valueAt(input, issue.path));
    const key = `${code} ${attr}`;
    if (seen.has(key)) continue;
    seen.add(key);
    errors.push({ detail, code, attr });
    if (errors.length === maximum) break;
  }
  return errors;
}

/** Of an object that must not have other fields, each of them is at fault; its schema may say which it may have. */
function oneOfEach(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  const message = issue.message.startsWith('Unrecognized key') ? NO_SUCH_FIELD : issue.message;
  return issue.keys.slice(0, LIMITS.reported_errors).map((key) => {
    const path = [...issue.path, key.slice(0, MAX_KEY_LENGTH).toWellFormed()];
    return { code: 'custom', path, message, params: { code: 'undocumented_field' } };
  });
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function faultOf(issue: z.core.$ZodIssue, value: unknown): Fault {
  if (issue.code === 'custom') {
    const code = issue.params?.code;
    return isFieldCode(code) ? { code, detail: issue.message } : { code: 'invalid', detail: FIELD_CODES.invalid };
  }
  if (value === undefined) return REQUIRED;
  if (value === null) return NULL;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'array') return { code: 'not_a_list', detail: 'Must be a list.' };
      // A schema may say more exactly what it expects.
      if (Object.values(EXPECTED).includes(issue.message)) return { code: 'invalid', detail: issue.message };
      return { code: 'invalid', detail: EXPECTED[issue.expected] ?? 'Has the wrong type.' };
    case 'invalid_value':
      return choiceOf(issue.values);
    case 'invalid_union':
      return withPage(choiceOf('options' in issue ? (issue.options ?? []) : []), issue.message);
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    default:
      return { code: 'invalid', detail: 'Has the wrong form.' };
  }
}

function isFieldCode(code: unknown): code is FieldCode {
  return typeof code === 'string' && Object.hasOwn(FIELD_CODES, code);
}

function choiceOf(allowed: readonly unknown[]): Fault {
  const detail = allowed.length === 1 ? `Must be ${allowed[0]}.` : `Must be one of ${allowed.join(', ')}.`;
  return { code: 'invalid_choice', detail };
}

/** A schema may name a page of the guide. */
function withPage(fault: Fault, message: string): Fault {
  return message.startsWith('See ') ? { ...fault, detail: `${fault.detail} ${message}` } : fault;
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): Fault {
  if (origin === 'string') return { code: 'max_length', detail: `Must be at most ${maximum} characters.` };
  if (origin === 'array' || origin === 'record') {
    return { code: 'max_items', detail: `Must have at most ${maximum} items.` };
  }
  return { code: 'max_value', detail: `Must be ${inclusive ? 'at most' : 'less than'} ${maximum}.` };
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Fault {
  if (origin === 'string') return { code: 'min_length', detail: `Must be at least ${minimum} characters.` };
  if (origin === 'array') return { code: 'empty', detail: 'Must have at least one item.' };
  return { code: 'min_value', detail: `Must be ${inclusive ? 'at least' : 'greater than'} ${minimum}.` };
}
