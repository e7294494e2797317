import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import {
  accountTypes,
  balanceCheck,
  bulkParallelism,
  code,
  emailSender,
  emailUnsubscribe,
  emptyMeansOmitted,
  organisationId,
  rejectUndocumentedFields,
  sendCustomerEmails,
  statementAmountUnit,
  status,
  suppliersMayUndo,
  suspectData,
  suspectDataByCode,
  undocumentedFieldsMode,
  undoHours,
  zeroAmounts,
} from './import-supplier-fields.ts';

const supplierFields = {
  code: field(z.string(), 'The code, unique over all organisations.', 'NORTHWIND-2026'),
  name: field(z.string(), 'What the service team calls it.', 'Northwind, spring migration'),
  organisation_id: organisationId,
  status,
  country: field(z.string(), 'The country of the accounts, as an ISO 3166-1 alpha-2 code.', 'GB'),
  document_root: field(z.string(), 'The part of the bucket to which document paths are relative.', 'northwind/2026'),
  document_location: field(
    z.string(),
    'Where its documents are: bucket and document root. Followed by a document path, without the slash that may stand before it, it is the full location of that document.',
    'causeway-documents/northwind/2026/',
  ),
  send_customer_emails: sendCustomerEmails,
  email_sender: emailSender,
  email_unsubscribe: emailUnsubscribe,
  process_concurrency_limit: field(
    z.number().nullable(),
    'How many accounts may be processed concurrently; null is no limit.',
    40,
  ),
  reject_undocumented_fields: rejectUndocumentedFields,
  undocumented_fields: undocumentedFieldsMode,
  empty_means_omitted: emptyMeansOmitted,
  statement_amount_unit: statementAmountUnit,
  account_types: accountTypes,
  balance_check: balanceCheck,
  suspect_data: suspectData,
  suspect_data_by_code: suspectDataByCode,
  zero_amounts: zeroAmounts,
  undo_hours: undoHours,
  suppliers_may_undo: suppliersMayUndo,
  bulk_parallelism: bulkParallelism,
  created_at: field(UtcDatetime, 'When it was created, in UTC.', '2026-03-02T08:15:00Z'),
};

/** An import supplier and its configuration (behaviour 2.9). */
export const ImportSupplier = z
  .object(supplierFields)
  .apply(documented, 'ImportSupplier', 'An import supplier and its configuration.');
export type ImportSupplier = z.infer<typeof ImportSupplier>;

export const ListImportSuppliersResponse = z
  .array(ImportSupplier)
  .apply(documented, 'ListImportSuppliersResponse', 'The import suppliers, in the order of their codes.');

const count = (description: string, example: number) => field(z.number(), description, example);

export const ImportSupplierCounts = z
  .object({
    staged: count('Staged and never attempted, or staged again.', 1200),
    failed: count('The last attempt to create the account failed.', 14),
    skipped: count('Marked to be skipped.', 3),
    completed: count('The account exists.', 8783),
    undone: count('The account was undone, and not staged since.', 2),
    complete: count(
      'The account exists and has no open refusal: of the completed ones, those with nothing to fix.',
      8741,
    ),
  })
  .apply(documented, 'ImportSupplierCounts', 'How many account imports are in each state, and how many are complete.');
export type ImportSupplierCounts = z.infer<typeof ImportSupplierCounts>;

export const ImportSupplierDetail = z
  .object({ ...supplierFields, counts: ImportSupplierCounts })
  .apply(
    documented,
    'ImportSupplierDetail',
    'An import supplier, its configuration and the progress of its migration.',
  );
export type ImportSupplierDetail = z.infer<typeof ImportSupplierDetail>;

export const GetImportSupplierRequest = z
  .object({ code })
  .apply(documented, 'GetImportSupplierRequest', 'Asks for one import supplier and the progress of its migration.');
export type GetImportSupplierRequest = z.infer<typeof GetImportSupplierRequest>;
