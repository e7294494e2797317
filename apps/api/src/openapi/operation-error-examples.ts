import type { ErrorCode, ErrorExample, FieldCode } from '@causeway/contracts';
import { exampleNote, exampleStatement } from './example-data.ts';

const invalid = (attr: string, code: FieldCode, detail: string): ErrorExample => ({
  detail: `The payload failed validation: ${attr}.`,
  errors: [{ detail, code, attr }],
});

const dryRun = (would_answer: unknown): ErrorExample => ({
  detail: 'The request would succeed. Nothing was stored: this was a dry run and was rolled back.',
  extra: { would_answer },
});

const UNKNOWN_CODE: ErrorExample = {
  detail: 'There is no import supplier with this code.',
  errors: 'import_supplier_code',
};

const LIST_ERRORS: Partial<Record<ErrorCode, ErrorExample>> = {
  import_supplier_does_not_exist: UNKNOWN_CODE,
  request_failed_validation: invalid('limit', 'max_value', 'Must be at most 10000.'),
};

const NOT_STAGED: ErrorExample = {
  detail: 'No account NW-0009999 was staged for this import supplier.',
  errors: 'external_account_number',
};

const READ_ERRORS: Partial<Record<ErrorCode, ErrorExample>> = {
  import_supplier_does_not_exist: UNKNOWN_CODE,
  request_failed_validation: invalid('external_account_number', 'max_length', 'Must be at most 1024 characters.'),
  account_not_found: NOT_STAGED,
};
const READ_PAGE_ERRORS: typeof LIST_ERRORS = { ...LIST_ERRORS, account_not_found: NOT_STAGED };

/** Examples of a code that differ by operation: mainly problems in a payload. */
export const EXAMPLES_OF_OPERATION: Record<string, Partial<Record<ErrorCode, ErrorExample>>> = {
  processAccount: {
    request_failed_validation: invalid('dry_run', 'invalid', 'Must be true or false.'),
    import_supplier_does_not_exist: UNKNOWN_CODE,
    import_supplier_migration_not_ongoing: {
      detail: 'Migration on this import supplier is complete: it accepts no more accounts.',
      errors: 'import_supplier_code',
    },
  },
  importNotes: {
    dry_run_rolled_back: dryRun([
      { created_at: exampleNote.created_at, body: exampleNote.body, status: 'NOTE_CREATION_SUCCESS' },
    ]),
    request_failed_validation: invalid(
      'notes.0.body',
      'note_body_or_document_path_not_found',
      'Give a body or at least one document path.',
    ),
  },
  importTransactions: {
    dry_run_rolled_back: dryRun({
      results: [
        {
          status: 'TRANSACTION_ADDED_TO_ACCOUNT',
          transaction_data: {
            transaction_id: 'T-20260407-12',
            transaction_date: '2026-04-07',
            type: 'PAYMENT',
            amount: '50.00',
          },
        },
      ],
    }),
    request_failed_validation: {
      ...invalid('transactions.1.amount', 'max_decimal_places', 'Must have at most 2 decimal places.'),
      extra: {
        transaction_data: {
          transaction_id: 'T-20260407-12',
          transaction_date: '2026-04-07',
          type: 'PAYMENT',
          amount: 50.005,
        },
        error_detail: 'Must have at most 2 decimal places.',
        status: 'TRANSACTION_IMPORT_ERROR',
      },
    },
  },
  importStatements: {
    dry_run_rolled_back: dryRun({
      import_supplier: 'NORTHWIND-2026',
      external_account_number: 'NW-0001482',
      statements: [exampleStatement],
    }),
    request_failed_validation: invalid(
      'statements.0.bill_period_from_date',
      'start_date_later_than_end_date',
      'Must not be later than bill_period_to_date.',
    ),
  },
  importPaymentInstruction: {
    dry_run_rolled_back: dryRun({ service_account_number: 'A-7K3M9QXT', reference: 'pm_1NqkLXJ2eZvKYlo2' }),
    request_failed_validation: invalid('reference', 'required', 'This field is required.'),
  },
  accountStatus: READ_ERRORS,
  listAccountImports: LIST_ERRORS,
  listPendingImports: LIST_ERRORS,
  listImportedAccounts: LIST_ERRORS,
  getAccount: READ_ERRORS,
  getPaymentInstruction: {
    ...READ_ERRORS,
    request_failed_validation: invalid(
      'type',
      'required',
      'The account NW-0001482 has payment instructions of several types: CARD, DIRECT_DEBIT. Say which one with ?type=.',
    ),
  },
  listPaymentInstructions: READ_ERRORS,
  listAccountNotes: READ_PAGE_ERRORS,
  listAccountTransactions: READ_PAGE_ERRORS,
  listAccountStatements: READ_PAGE_ERRORS,
};
