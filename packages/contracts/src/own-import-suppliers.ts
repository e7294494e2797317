import { z } from 'zod';
import { documented, examplesOf, field, optional } from './field.ts';
import { ImportSupplierCodeInPath } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { wholeNumber } from './numbers.ts';
import { ImportSupplier } from './staff/import-supplier-records.ts';

const fields = ImportSupplier.pick({
  code: true,
  name: true,
  status: true,
  country: true,
  process_concurrency_limit: true,
  bulk_parallelism: true,
  reject_undocumented_fields: true,
  undocumented_fields: true,
  empty_means_omitted: true,
  statement_amount_unit: true,
  account_types: true,
  balance_check: true,
  suspect_data: true,
  suspect_data_by_code: true,
  zero_amounts: true,
  undo_hours: true,
  suppliers_may_undo: true,
}).extend({
  time_zone: field(
    z.string(),
    'The time zone of the service, by its IANA name: “today” and the open statement period are days there.',
    'Europe/London',
  ),
});
const [example] = examplesOf(fields) as z.infer<typeof fields>[];

/** An import supplier as its own organisation sees it (behaviour 21.6). */
export const OwnImportSupplier = fields.meta({
  id: 'OwnImportSupplier',
  description: 'An import supplier of your organisation, and the settings by which its accounts are checked.',
  examples: [{ ...example, account_types: [] }],
});
export type OwnImportSupplier = z.infer<typeof OwnImportSupplier>;

/** The request for one import supplier (behaviour 21.6). */
export const OwnImportSupplierRequest = z
  .object({ import_supplier_code: ImportSupplierCodeInPath })
  .apply(documented, 'OwnImportSupplierRequest', 'Asks for one import supplier.');
export type OwnImportSupplierRequest = z.infer<typeof OwnImportSupplierRequest>;

/** The request for the import suppliers of the caller's organisation (behaviour 21.6). */
export const ListOwnImportSuppliersRequest = z
  .object({
    limit: optional(
      wholeNumber(1, LIMITS.list),
      `The maximum number to return, 1 to ${limitText(LIMITS.list)}. While there are more, a \`Link\` header has the next page.`,
      100,
    ),
    after: optional(
      ImportSupplierCodeInPath,
      'The code of the last import supplier that you received; the list continues after it.',
    ),
  })
  .apply(documented, 'ListOwnImportSuppliersRequest', 'Asks for the import suppliers of your organisation.', 'after');
export type ListOwnImportSuppliersRequest = z.infer<typeof ListOwnImportSuppliersRequest>;

export const ListOwnImportSuppliersResponse = z
  .array(OwnImportSupplier)
  .apply(documented, 'ListOwnImportSuppliersResponse', 'The import suppliers, in the order of their codes.');
