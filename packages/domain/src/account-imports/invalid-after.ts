import { DomainError } from '../errors.ts';

/** The refusal of a list's `after` that names no account of the supplier. */
export function invalidAfter(): DomainError {
  const detail =
    'No account with this number was staged: give the external_account_number of the last record received.';
  return new DomainError('request_failed_validation', 'The request failed validation.', {
    errors: [{ detail, code: 'invalid', attr: 'after' }],
  });
}
