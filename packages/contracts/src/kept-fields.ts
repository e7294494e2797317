import { z } from 'zod';
import type { FieldError } from './errors.ts';
import { documented, field } from './field.ts';
import { LIMITS, limitText } from './limits.ts';
import { ImportOperation } from './refusals.ts';
import { visitUndocumentedFields } from './visit-undocumented-fields.ts';

/** An undocumented field that was kept (behaviour 2.2.12). */
export const KeptField = z
  .object({
    operation: field(ImportOperation, 'The call that sent it.', 'stage'),
    path: field(z.string(), 'Its dotted path in that call; numbers are zero-based list indexes.', 'tariff.code'),
    value: field(z.unknown(), 'Its value, as it was sent.', 'ECO-7'),
  })
  .apply(documented, 'KeptField', 'An undocumented field, kept as it was sent.');
export type KeptField = z.infer<typeof KeptField>;

export const keptFields = field(
  z.array(KeptField),
  'The undocumented fields that were sent with the account and with the imports into it, oldest first. Empty unless the ' +
    'import supplier is configured to keep them (`undocumented_fields` KEEP).',
);

/** The undocumented fields of one request. */
export interface FieldsToKeep {
  /** What is stored: the JSON of a list of paths and values. */
  json: string;
  /** The field with which they are larger than what is kept of an account; the list ends before it. */
  tooLargeAt: string | undefined;
}

/** The field with which the undocumented fields are larger than what is kept of an account. */
export function tooMuchToKeep(attr: string): FieldError {
  const most = `${limitText(LIMITS.kept_bytes)} bytes`;
  return {
    detail: `Up to here the undocumented fields exceed the ${most} that are kept of one account: send fewer of them.`,
    code: 'undocumented_fields_too_large',
    attr,
  };
}

const encoder = new TextEncoder();

/**
 * The fields of `input` that `schema` does not define, with their values, in their order. Where they are larger than
 * what is kept of an account, it stops and names the field at which they are. Accepts any input and never throws.
 */
export function fieldsToKeep(schema: z.core.$ZodType, input: unknown): FieldsToKeep {
  const kept: string[] = [];
  let bytes = '[]'.length;
  let tooLargeAt: string | undefined;
  visitUndocumentedFields(schema, input, (owner, key, value) => {
    const path = [...owner, key].join('.');
    const json = JSON.stringify({ path, value });
    bytes += encoder.encode(json).length + ','.length;
    if (bytes > LIMITS.kept_bytes) tooLargeAt = path;
    else kept.push(json);
    return tooLargeAt === undefined;
  });
  return { json: `[${kept.join(',')}]`, tooLargeAt };
}
