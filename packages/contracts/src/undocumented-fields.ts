import type { z } from 'zod';
import { LIMITS } from './limits.ts';
import { type FieldPath, visitUndocumentedFields } from './visit-undocumented-fields.ts';

/** Enough of a key to recognise it: reported keys may end up in a header. */
const MAX_KEY_LENGTH = 128;

/** What an input has that its schema does not define. */
export interface UndocumentedFields {
  /** The dotted paths of the first ones, at most 100. */
  paths: string[];
  /**
   * How often each field occurs, by its path with `*` for every list index, `customers.*.nickname`; at most 100
   * different ones.
   */
  fields: Map<string, { count: number; isInList: boolean }>;
  /** How many there are that `fields` does not have. */
  others: number;
  /** Nothing more was counted after as many as the limit `counted_undocumented_fields`. */
  isCounted: boolean;
}

/**
 * The keys in `input` that `schema` does not define (behaviour 2.2). Accepts any input, valid or not, and never throws.
 * Keys are truncated to 128 characters, lone surrogates replaced, and keys with points quoted as in JSON; otherwise they
 * are as sent, so encode them before you put them into a header. Undefined if there are none.
 */
export function findUndocumentedFields(schema: z.core.$ZodType, input: unknown): UndocumentedFields | undefined {
  let found: UndocumentedFields | undefined;
  let left = LIMITS.counted_undocumented_fields;
  visitUndocumentedFields(schema, input, (owner, key) => {
    found ??= { paths: [], fields: new Map(), others: 0, isCounted: true };
    add(found, owner, key);
    left -= 1;
    return left > 0;
  });
  if (found !== undefined) found.isCounted = left > 0;
  return found;
}

/** The dotted paths of the undocumented fields, at most 100. */
export function undocumentedFields(schema: z.core.$ZodType, input: unknown): string[] {
  return findUndocumentedFields(schema, input)?.paths ?? [];
}

function add(found: UndocumentedFields, owner: FieldPath, key: string): void {
  const { paths, fields } = found;
  const sent = key.slice(0, MAX_KEY_LENGTH).toWellFormed();
  // With points it would read as the path of another field.
  const name = sent.includes('.') ? JSON.stringify(sent) : sent;
  if (paths.length < LIMITS.reported_errors) paths.push([...owner, name].join('.'));
  let field = name;
  let isInList = false;
  for (let depth = owner.length - 1; depth >= 0; depth--) {
    const part = owner[depth];
    isInList ||= typeof part === 'number';
    field = `${typeof part === 'number' ? '*' : part}.${field}`;
  }
  const known = fields.get(field);
  if (known !== undefined) known.count += 1;
  else if (fields.size < LIMITS.reported_errors) fields.set(field, { count: 1, isInList });
  else found.others += 1;
}
