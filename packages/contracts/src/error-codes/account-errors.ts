import { type ErrorRow, REMEDIES } from './error-row.ts';

const OF_ACCOUNT = 'external_account_number';

/** Refusals of a request about an account: to validate, stage or create it, to read it or to add to it. */
export const ACCOUNT_ERRORS = {
  account_failed_validation: {
    status: 400,
    when: 'The account violates a rule; `errors` names every field at fault.',
    cause: 'Data in the export that is missing, misspelt or inconsistent.',
    remedy: REMEDIES.correct,
    example: {
      detail: 'The payload failed validation: 2 problems, see errors.',
      errors: [
        {
          detail: 'Must be a real calendar day written YYYY-MM-DD, years 1900 to 2200. Leave an open end out.',
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
  },
  request_failed_validation: {
    origin: 'both',
    status: 400,
    when: 'The request violates a rule; `errors` names every field at fault.',
    cause: 'A field, parameter or header that is missing, misspelt or outside its limits.',
    remedy: REMEDIES.correct,
    example: {
      detail: 'The Idempotency-Key header cannot be used.',
      errors: [
        {
          detail: 'Give 1 to 255 visible ASCII characters, such as a UUID.',
          code: 'invalid',
          attr: 'Idempotency-Key',
        },
      ],
    },
  },

  import_supplier_does_not_exist: {
    status: 400,
    when: 'No import supplier of your organisation has this code.',
    cause: "A misspelt code, or an API key of a different organisation than the import supplier's.",
    remedy: 'Use the code that the service team gave you, with the API key of the same organisation.',
    example: { detail: 'There is no import supplier with this code.', errors: 'import_supplier' },
  },
  import_supplier_migration_not_ongoing: {
    status: 400,
    when: 'The import supplier is Paused or Complete and accepts no accounts; `detail` says which.',
    cause: 'The service team has paused or ended the migration.',
    remedy: 'Stop sending accounts and ask the service team; send them again once the migration is ongoing.',
    example: {
      detail: 'Migration on this import supplier is paused: try again once it is resumed.',
      errors: 'import_supplier',
    },
  },
  import_process_does_not_exist: {
    status: 400,
    when: 'Nothing is staged for this import supplier and external account number.',
    cause: 'The account was never staged, or the code or number is wrong.',
    remedy: 'Check the code and the number, or stage the account, then create it.',
    example: { detail: 'No data is staged for this account: stage it first.', errors: OF_ACCOUNT },
  },
  account_import_process_already_imported: {
    status: 400,
    when: 'The account was created before; the body also has `external_account_number` and `service_account_number`.',
    cause: 'An earlier request created it, perhaps one whose answer was lost.',
    remedy: 'Take the number from the body and continue: this is a success that you missed.',
    example: {
      detail: 'This account has already been imported.',
      errors: OF_ACCOUNT,
      extra: { external_account_number: 'NW-0001482', service_account_number: 'A-7K3M9QXT' },
    },
  },
  account_import_process_skipped: {
    status: 400,
    when: 'The service team marked the account to be skipped, so it cannot be staged or processed.',
    cause: 'The service team decided not to migrate this account.',
    remedy: 'Leave the account out, or ask the service team why it is skipped.',
    example: { detail: 'The service team marked this account to be skipped.', errors: OF_ACCOUNT },
  },
  operations_team_name_does_not_exist: {
    status: 400,
    when: 'No operations team that you may use has this name.',
    cause: 'A misspelt name, or a team of another organisation.',
    remedy: 'Use the name that the service team gave you.',
    example: { detail: 'There is no operations team with this name.', errors: 'operations_team_name' },
  },
  dry_run_rolled_back: {
    status: 400,
    when: 'The request would have succeeded; nothing was stored because `dry_run` was true. For an import, `would_answer` shows the answer.',
    cause: 'The request was a dry run, and it succeeded.',
    remedy: 'Send the request without `dry_run` to have it done.',
    example: {
      detail: 'The account would import successfully. Nothing was stored: this was a dry run and was rolled back.',
    },
  },
  concurrency_limit_exceeded: {
    status: 429,
    retry_after_s: 1,
    when: 'The import supplier has reached its limit of accounts processed concurrently; retry after `Retry-After` seconds.',
    cause: 'More concurrent requests to create accounts than the import supplier is configured for.',
    remedy: 'Wait for `Retry-After` seconds, then send the same request again, with fewer concurrent requests.',
    example: {
      detail:
        'This import supplier has reached its limit of accounts processed at once: try again after others finish.',
    },
  },
  account_erased: {
    status: 400,
    when: 'The personal data of the account was erased on request; nothing more can be added to it.',
    cause: 'The service team erased the data at a customer’s request.',
    remedy: 'Send nothing more for this account.',
    example: {
      detail: 'The personal data of this account was erased: nothing more can be added to it.',
      errors: OF_ACCOUNT,
    },
  },
  account_not_found: {
    status: 400,
    when: 'No account has been created, or for its status none was staged, under this code and number.',
    cause: 'The account was staged but not created, or the code or number is wrong.',
    remedy: 'Check the code and the number, or create the account first.',
    example: {
      detail:
        'No imported account has this number: check import_supplier and external_account_number, and that it was processed.',
      errors: OF_ACCOUNT,
    },
  },
} as const satisfies Record<string, ErrorRow>;
