import { type FieldError, fieldErrorsOf, LIMITS, limitText } from '@causeway/contracts';
import type { z } from 'zod';

/** The problems of a request, and whether there are more than were looked for. */
export interface FoundProblems {
  all: FieldError[];
  hasMore?: boolean;
}

/** What a refusal says of the fields at fault. */
export interface RefusedFields {
  detail: string;
  errors: FieldError[];
}

/** All problems in one answer, without duplicates (behaviour 7.2). */
export function refusedFields(found: FoundProblems): RefusedFields {
  const all = withoutRepeats(found.all);
  return {
    detail: failureSentence(all, found.hasMore || undefined),
    errors: all.slice(0, LIMITS.reported_errors),
  };
}

/** All problems that its schema finds, as far as they are counted. */
export function allErrorsOf(error: z.core.$ZodError, input: unknown): FieldError[] {
  return fieldErrorsOf(error, input, LIMITS.counted_errors);
}

/** A rule may find the same problem as the schema; its own sentence is more helpful. */
function withoutRepeats(errors: FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.code} ${error.attr}`, error])).values()];
}

function failureSentence(errors: FieldError[], hasMore = errors.length >= LIMITS.counted_errors): string {
  const [first] = errors;
  if (first?.attr === '') {
    return first.code === 'required' ? 'The payload is missing.' : 'The payload must be an object.';
  }
  if (errors.length === 1 && first !== undefined) return `The payload failed validation: ${first.attr}.`;
  // Repeats are left out: of very many that were found a few may remain, which are all shown.
  const isAll = errors.length < LIMITS.reported_errors || (errors.length === LIMITS.reported_errors && !hasMore);
  const count = `${hasMore ? 'at least ' : ''}${limitText(errors.length)} problems`;
  const problems = isAll ? count : `the first ${LIMITS.reported_errors} of ${count}`;
  return `The payload failed validation: ${problems}, see errors.`;
}
