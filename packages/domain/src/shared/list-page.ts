import { LIMITS } from '@causeway/contracts';
import { fragment, rawSql } from '@causeway/db';
import { DomainError } from './errors.ts';

/** The requested part of a list: `after` is the key of the last record received. */
export interface PageRequest {
  limit?: number | undefined;
  after?: string | undefined;
}

/** How many records a list returns; 1,000 by default (behaviour 4.12). */
export function pageSize({ limit = LIMITS.list_default }: Pick<PageRequest, 'limit'>): number {
  return limit;
}

/** A page of a staff list, oldest first, as a condition. A page after a record that does not exist is empty. */
export function pageById(table: string) {
  return fragment`(
      ${'after'}::uuid IS NULL
      OR (created_at, id) > (SELECT created_at, id FROM ${rawSql(table)} WHERE id = ${'after'})
    )
  ORDER BY created_at, id
  LIMIT ${'limit'}`;
}

/** The values of its parameters, and of a list by code. */
export function pageValues(request: PageRequest) {
  return { limit: pageSize(request), after: request.after ?? null };
}

/** The refusal of a list's `after` that names no account of the supplier. */
export function invalidAfter(): DomainError {
  const detail =
    'No account with this number was staged: give the external_account_number of the last record received.';
  return new DomainError('request_failed_validation', 'The request failed validation.', {
    errors: [{ detail, code: 'invalid', attr: 'after' }],
  });
}
