import { DomainError } from '../errors.ts';

/** The refusal of a call that reads an account: nothing was ever staged under this number. */
export function accountNotStaged(externalAccountNumber: string): DomainError {
  const detail = `No account ${externalAccountNumber} was staged for this import supplier.`;
  return new DomainError('account_not_found', detail, { attr: 'external_account_number' });
}
