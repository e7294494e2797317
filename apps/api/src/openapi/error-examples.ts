import type { ErrorBody, ErrorCode } from '@causeway/contracts';
import { type ErrorExample, EXAMPLES_OF_OPERATION } from './operation-error-examples.ts';

const IMPORTED = { external_account_number: 'NW-0001482', service_account_number: 'A-7K3M9QXT' };
const OUTSIDE_PERIOD =
  'Transaction T-20260131-08 of 2026-01-31 is not within the open statement period (2026-03-01 to 2026-04-17).';

/** By code; the tests get each of them from the service itself, as far as it can be made to give them. */
const EXAMPLES: Partial<Record<ErrorCode, ErrorExample>> = {
  request_failed_validation: {
    detail: 'The Idempotency-Key header cannot be used.',
    errors: [
      {
        detail: 'Give 1 to 255 visible ASCII characters, such as a UUID.',
        code: 'invalid',
        attr: 'Idempotency-Key',
      },
    ],
  },
  account_failed_validation: {
    detail: 'The payload failed validation: 2 problems, see errors.',
    errors: [
      {
        detail: 'Must be a real calendar day written YYYY-MM-DD, years 1900 to 2200.',
        code: 'invalid_date',
        attr: 'customers.0.date_of_birth',
      },
      {
        detail:
          'Enter a possible phone number of the supplier’s country, or one with its country code, such as +441632960001.',
        code: 'invalid_phone_number',
        attr: 'customers.0.landline',
      },
    ],
  },
  import_supplier_does_not_exist: {
    detail: 'There is no import supplier with this code.',
    errors: 'import_supplier',
  },
  import_supplier_migration_not_ongoing: {
    detail: 'Migration on this import supplier is paused: try again once it is resumed.',
    errors: 'import_supplier',
  },
  import_process_does_not_exist: {
    detail: 'No data is staged for this account: stage it first.',
    errors: 'external_account_number',
  },
  account_import_process_already_imported: {
    detail: 'This account has already been imported.',
    errors: 'external_account_number',
    extra: IMPORTED,
  },
  account_import_process_skipped: {
    detail: 'The service team marked this account to be skipped.',
    errors: 'external_account_number',
  },
  operations_team_name_does_not_exist: {
    detail: 'There is no operations team with this name.',
    errors: 'operations_team_name',
  },
  dry_run_rolled_back: {
    detail: 'The account would import successfully. Nothing was stored: this was a dry run and was rolled back.',
  },
  concurrency_limit_exceeded: {
    detail:
      'As many accounts are being processed as this import supplier allows at once: try again after others finish.',
  },
  account_erased: {
    detail: 'The personal data of this account was erased: nothing more can be added to it.',
    errors: 'external_account_number',
  },
  account_not_found: {
    detail:
      'No imported account has this number: check import_supplier and external_account_number, and that it was processed.',
    errors: 'external_account_number',
  },
  transaction_outside_open_statement_period: {
    detail: OUTSIDE_PERIOD,
    errors: 'transactions.0.transaction_date',
    extra: {
      transaction_data: {
        transaction_id: 'T-20260131-08',
        transaction_date: '2026-01-31',
        type: 'CHARGE',
        amount: '12.30',
        reason: 'IMPORTED_CHARGE',
      },
      error_detail: OUTSIDE_PERIOD,
      status: 'TRANSACTION_IMPORT_ERROR',
    },
  },
  historical_statement_already_exists: {
    detail: 'The account has a statement ST-2026-01-0001482 with other values: it was not changed.',
    errors: 'statements.0.statement_id',
  },
  payment_instruction_already_active: {
    detail: 'The account has another payment instruction, which is active.',
    errors: 'reference',
  },
  payment_vendor_rejected: {
    detail: 'STRIPE has no payment instruction with this reference.',
    errors: 'reference',
  },
  payment_vendor_unavailable: {
    detail: 'STRIPE could not be asked about this payment instruction now. Send the same request again later.',
  },

  not_authenticated: { detail: 'The Authorization header with a token is missing.' },
  authentication_failed: { detail: 'The token is not valid.' },
  token_expired: { detail: 'The token has expired: obtain a new one.' },
  not_found: { detail: 'Nothing is at this address: see /docs for the paths there are.' },
  method_not_allowed: { detail: 'This address takes POST, OPTIONS.' },
  internal_error: {
    detail:
      'Something went wrong on our side. The request may have been done. To report it, quote the X-Request-Id header.',
  },
  service_unavailable: {
    detail: 'The service cannot work at the moment. The request may have been done: repeat it as the guide says.',
  },

  idempotency_key_in_progress: {
    detail: 'A request with this Idempotency-Key is still running: send it again later to get its answer.',
  },
  idempotency_key_reused: {
    detail: 'Another request was sent with this Idempotency-Key: a new request needs a new key.',
  },

  invalid_json: { detail: 'The request body is not valid JSON: see line 1, column 33.' },
  not_an_object: { detail: 'The request body must be a JSON object, but it is an array.' },
  number_too_precise: {
    detail: 'This number has more digits than a double keeps: write it with 15 significant digits at most.',
    errors: 'transactions.0.amount',
  },
  duplicate_key: {
    detail: 'This key appears more than once in its object.',
    errors: 'external_account_number',
  },
  forbidden_key: { detail: 'The key __proto__ is not allowed.', errors: '__proto__' },
  too_deep: { detail: 'Objects and arrays may be nested 32 levels deep, not deeper.' },
  too_many_values: { detail: 'The body has more than 1000000 keys, values and commas: send less at once.' },
  too_many_keys: { detail: 'The body has more than 20000 different keys.' },
  invalid_utf8: { detail: 'The request body is not valid UTF-8.' },
  nul_character: { detail: 'This value contains a NUL character.', errors: 'external_account_number' },
  lone_surrogate: {
    detail: 'This value contains half of a surrogate pair: it is not valid Unicode.',
    errors: 'external_account_number',
  },
  request_timeout: { detail: 'The request body did not arrive in time.' },
  payload_too_large: { detail: 'The request body may have 10485760 bytes at most.' },
  unsupported_media_type: { detail: 'Send the body as JSON, with "Content-Type: application/json".' },
};

/** The body that an operation answers with for a code; without an operation the one that is the same for all. */
export function errorExample(code: ErrorCode, operationId = ''): ErrorBody & Record<string, unknown> {
  const example = EXAMPLES_OF_OPERATION[operationId]?.[code] ?? EXAMPLES[code];
  if (example === undefined) {
    throw new Error(`${code} of ${operationId} needs an example in the published document`);
  }
  const { detail, errors = [], extra } = example;
  return { detail, code, errors: typeof errors === 'string' ? [{ detail, code, attr: errors }] : errors, ...extra };
}
