import { type ImportOperation, type KeptField, tooMuchToKeep } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { KeptFieldsRow } from './kept-fields.sql.ts';

/**
 * What a call adds to the JSON of its statement for the undocumented fields that are kept with what it stores: nothing
 * if there are none.
 */
export function keptWith({ undocumented }: Pick<Context, 'undocumented'>): Record<string, unknown> {
  return undocumented === undefined ? {} : { kept_fields: JSON.parse(undocumented) };
}

/** The refusal of an import with whose undocumented fields too many would be kept of its account. */
export function tooMuchKept({ undocumented }: Pick<Context, 'undocumented'>): DomainError {
  const [first] = JSON.parse(undocumented ?? '[]') as { path: string }[];
  return new DomainError('request_failed_validation', 'The request failed validation.', {
    errors: [tooMuchToKeep(first?.path ?? '')],
  });
}

/** What is kept of an account, field by field, in the order in which it was sent. */
export function keptFieldsOf(kept: KeptFieldsRow[] | null): KeptField[] {
  return (kept ?? []).flatMap(({ operation, fields }) =>
    fields.map(({ path, value }) => ({ operation: operation as ImportOperation, path, value })),
  );
}
