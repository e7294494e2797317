import { DomainError } from '../errors.ts';

/** The refusal of a call that would change an account whose personal data was erased. */
export function accountErased(): DomainError {
  const detail = 'The personal data of this account was erased: nothing more can be added to it.';
  return new DomainError('account_erased', detail, { attr: 'external_account_number' });
}
