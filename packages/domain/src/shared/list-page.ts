import { LIMITS } from '@causeway/contracts';
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

/** A page of a staff list, oldest first, in Prisma's form. A page after a record that does not exist is empty. */
export interface IdPage {
  take: number;
  orderBy: [{ created_at: 'asc' }, { id: 'asc' }];
  cursor?: { id: string };
  skip?: number;
}

export function pageById(request: PageRequest): IdPage {
  const page: IdPage = { take: pageSize(request), orderBy: [{ created_at: 'asc' }, { id: 'asc' }] };
  return request.after === undefined ? page : { ...page, cursor: { id: request.after }, skip: 1 };
}

/** The refusal of a list's `after` that names no account of the supplier. */
export function invalidAfter(): DomainError {
  const detail =
    'No account with this number was staged: give the external_account_number of the last record received.';
  return new DomainError('request_failed_validation', 'The request failed validation.', {
    errors: [{ detail, code: 'invalid', attr: 'after' }],
  });
}
