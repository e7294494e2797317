import { z } from 'zod';
import { ACCOUNT_DATA_ERRORS } from './error-codes/account-data-errors.ts';
import { ACCOUNT_ERRORS } from './error-codes/account-errors.ts';
import { documentationUrl, ERROR_CODES, type ErrorCode } from './error-codes.ts';
import { documented, field, optional } from './field.ts';
import { FIELD_CODES, type FieldCode } from './field-codes.ts';
import { LIMITS, limitText } from './limits.ts';

const errorCodes = Object.keys(ERROR_CODES) as ErrorCode[];
const fieldCodes = Object.keys(FIELD_CODES) as FieldCode[];

/** One field at fault (behaviour 7.2). */
export const FieldError = z
  .object({
    detail: field(
      z.string(),
      'A sentence that says what to change. Its wording may change; do not parse it.',
      'Must be a real calendar day written YYYY-MM-DD, years 1900 to 2200. Leave an open end out.',
    ),
    code: field(
      z.enum([...fieldCodes, ...errorCodes]),
      'The kind of problem, stable over time. If one field is at fault for the whole error, its code is the code of the body. New codes may be added.',
      'invalid_date',
    ),
    attr: field(
      z.string(),
      'The dotted path to the offending input; numbers are zero-based list indexes. Empty if the request as a whole is at fault.',
      'customers.0.date_of_birth',
    ),
  })
  .apply(documented, 'FieldError', 'One problem of one field.');
export type FieldError = z.infer<typeof FieldError>;

const failureShape = {
  detail: field(
    z.string(),
    'A sentence for people. Its wording may change; do not parse it.',
    'The payload failed validation: customers.0.landline.',
  ),
  code: field(
    z.enum(errorCodes),
    'The kind of error, stable over time. New codes may be added.',
    'account_failed_validation',
  ),
  errors: field(
    z.array(FieldError),
    `The fields at fault: all problems together, at most ${limitText(LIMITS.reported_errors)}. Empty if no field is at fault.`,
    [],
  ),
};

export const urlField = (code: ErrorCode) =>
  field(
    z.string().meta({ format: 'uri-reference' }),
    'The description of `code`, with its usual cause and what to do next: a path to resolve against the address of this service.',
    documentationUrl(code),
  );

export const errorBodyShape = { ...failureShape, documentation_url: urlField('account_failed_validation') };

/** Why an attempt failed, as stored with the account: the body that its caller got, without `documentation_url`. */
export const AttemptFailure = z.object(failureShape).meta({
  id: 'AttemptFailure',
  description: 'Why an attempt to create the account failed.',
  examples: [{ detail: 'No operations team has this name.', code: 'operations_team_name_does_not_exist', errors: [] }],
});
export type AttemptFailure = z.infer<typeof AttemptFailure>;

/** The body of every error (behaviour 7.2). */
export const ErrorBody = z.object(errorBodyShape).meta({
  id: 'ErrorBody',
  description: 'The body of every error. Some errors add fields, which are documented with their endpoint.',
  examples: [
    {
      detail: 'The payload failed validation: customers.0.landline.',
      code: 'account_failed_validation',
      errors: [ACCOUNT_ERRORS.account_failed_validation.example.errors[1]],
      documentation_url: documentationUrl('account_failed_validation'),
    },
  ],
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** What process adds if the account was created before (behaviour 4.3). */
export const AlreadyImportedErrorBody = z
  .object({
    ...errorBodyShape,
    code: field(
      z.literal('account_import_process_already_imported'),
      'Always account_import_process_already_imported.',
      'account_import_process_already_imported',
    ),
    documentation_url: urlField('account_import_process_already_imported'),
    external_account_number: field(z.string(), 'Your own account number, as sent.', 'NW-0001482'),
    service_account_number: field(
      z.string(),
      'The account number assigned when the account was created.',
      'A-7K3M9QXT',
    ),
    differences: optional(
      z.array(z.string()),
      'The fields in which what was sent is not what the account was created from; nothing was changed. `account` if only ' +
        'that is known, since its staged data was removed. Absent if it is the same.',
      ['transfer_balance'],
    ),
  })
  .meta({
    id: 'AlreadyImportedErrorBody',
    description: 'The account was created before, with the number in this body.',
    examples: [
      {
        detail: 'This account has already been imported.',
        code: 'account_import_process_already_imported',
        errors: [
          {
            detail: 'This account has already been imported.',
            code: 'account_import_process_already_imported',
            attr: 'external_account_number',
          },
        ],
        documentation_url: documentationUrl('account_import_process_already_imported'),
        external_account_number: 'NW-0001482',
        service_account_number: 'A-7K3M9QXT',
      },
    ],
  });

const { transaction_data: failingTransaction, error_detail: outsidePeriod } =
  ACCOUNT_DATA_ERRORS.transaction_outside_open_statement_period.example.extra;

/** The transactions import's own error body (behaviour 4.5). */
export const TransactionImportErrorBody = z
  .object({
    transaction_data: field(
      z.unknown(),
      'The first transaction that failed, as sent. If only its date is wrong, its amount is a string with two decimals, as in every response.',
      failingTransaction,
    ),
    error_detail: field(z.string(), 'Why it failed. Nothing was added.', outsidePeriod),
    status: field(
      z.literal('TRANSACTION_IMPORT_ERROR'),
      'Always TRANSACTION_IMPORT_ERROR.',
      'TRANSACTION_IMPORT_ERROR',
    ),
    ...errorBodyShape,
  })
  .meta({
    id: 'TransactionImportErrorBody',
    description:
      'A transaction cannot be imported, so nothing was added. `detail`, `code` and `errors` are those of every error.',
    examples: [
      {
        transaction_data: failingTransaction,
        error_detail: outsidePeriod,
        status: 'TRANSACTION_IMPORT_ERROR',
        detail: outsidePeriod,
        code: 'transaction_outside_open_statement_period',
        errors: [
          {
            detail: outsidePeriod,
            code: 'transaction_outside_open_statement_period',
            attr: 'transactions.0.transaction_date',
          },
        ],
        documentation_url: documentationUrl('transaction_outside_open_statement_period'),
      },
    ],
  });
