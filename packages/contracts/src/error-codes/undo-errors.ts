import { type ErrorRow, REMEDIES } from './error-row.ts';

const OF_ACCOUNT = 'external_account_number';
const ASK = 'Ask the service team: what is wrong has to be corrected on the platform.';

/** Why an account is not undone, and what a repeat is answered after it was. */
export const UNDO_ERRORS = {
  undo_not_allowed: {
    status: 400,
    when: 'The import supplier has `undo_hours` 0, or only the service team may undo; nothing was undone.',
    cause: 'The service team has not switched it on.',
    remedy: 'Ask the service team to set `undo_hours` or `suppliers_may_undo`, or to undo it.',
    example: { detail: 'Nothing of this import supplier can be undone: undo_hours is 0.', errors: OF_ACCOUNT },
  },
  undo_time_over: {
    status: 400,
    when: 'The account was created longer ago than `undo_hours` allow; it was not undone.',
    cause: 'The mistake was noticed too late.',
    remedy: ASK,
    example: { detail: 'The account could be undone for 72 hours after its creation.', errors: OF_ACCOUNT },
  },
  account_not_created: {
    status: 400,
    when: 'The account does not exist now, so there is nothing to undo.',
    cause: 'It was never created, or it was undone before.',
    remedy: 'Read the account: its state says what happened to it.',
    example: { detail: 'No account exists under this number: there is nothing to undo.', errors: OF_ACCOUNT },
  },
  account_adopted: {
    status: 400,
    when: 'The platform has started to use the account; it was not undone.',
    cause: 'A tool of the platform has taken it over.',
    remedy: ASK,
    example: { detail: 'The platform already uses the account: it cannot be undone any more.', errors: OF_ACCOUNT },
  },
  account_signed_off: {
    status: 400,
    when: 'A reconciliation that was signed off covers the account; it was not undone.',
    cause: 'The manifest of that reconciliation names the account.',
    remedy: ASK,
    example: { detail: 'A reconciliation that was signed off covers the account.', errors: OF_ACCOUNT },
  },
  migration_complete: {
    status: 400,
    when: 'The import supplier is Complete; nothing of it is undone.',
    cause: 'The service team has ended the migration.',
    remedy: 'Ask the service team to reopen the import supplier first.',
    example: { detail: 'The migration of this import supplier is complete.', errors: OF_ACCOUNT },
  },
  account_number_differs: {
    status: 409,
    when: 'The account to be replaced has another service account number than was expected; nothing was done.',
    cause: 'It was replaced, or undone and created again, since its number was read.',
    remedy: 'Read the account, decide again, and send the request with its present number.',
    example: {
      detail: 'The account has another service account number: somebody has replaced it before. Nothing was done.',
      errors: 'expected_service_account_number',
    },
  },
  changed_since: {
    status: 409,
    when: 'The account received something since the bulk job created it, and is kept; or the figures sent with `include_later` are not those of such accounts.',
    cause: 'Later imports, which the undo would remove too.',
    remedy:
      'Look at the figures; to remove all of it, send `include_later` with exactly the figures under `changed_since`.',
    example: { detail: 'The account received something from another call since.', errors: 'changed_since' },
  },
  account_in_progress: {
    status: 429,
    retry_after_s: 1,
    when: 'Another call is working on the account; it was not undone. Retry after `Retry-After` seconds.',
    cause: 'An import, a creation, an erasure or another undo of the same account at the same time.',
    remedy: REMEDIES.resend_later,
    example: { detail: 'Another call is working on this account: try again.', errors: OF_ACCOUNT },
  },
  account_undone: {
    status: 409,
    when: 'The request with this `Idempotency-Key` was answered before its account was undone; nothing was done again.',
    cause: 'A repeat that came after the undo.',
    remedy: 'If the request is still wanted, send it with a new key.',
    example: { detail: 'The account of this request was undone since: to do it again, send it with a new key.' },
  },
} as const satisfies Record<string, ErrorRow>;
