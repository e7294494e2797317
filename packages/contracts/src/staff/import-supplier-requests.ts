import { z } from 'zod';
import { field } from '../field.ts';
import { Uuid } from '../formats.ts';
import { ImportSupplierCode, ImportSupplierCodeInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { prose } from '../text.ts';
import {
  code,
  concurrencyLimit,
  country,
  documentRoot,
  exampleOrganisationId,
  name,
  organisationId,
  rejectUndocumentedFields,
  sendCustomerEmails,
  status,
} from './import-supplier-fields.ts';
import { limit } from './listing.ts';

/** The request that creates an import supplier (behaviour 14.4). */
export const CreateImportSupplierRequest = z
  .object({
    code: field(
      ImportSupplierCode,
      `The code, unique over all organisations: 1 to ${limitText(LIMITS.import_supplier)} characters of A-Z, 0-9, underscore and hyphen.`,
      'NORTHWIND-2026',
    ),
    name,
    organisation_id: organisationId,
    country: country.default('GB'),
    document_root: field(
      documentRoot,
      'The part of the bucket to which document paths are relative; it follows the rules of a document path. Default: the code.',
      'northwind/2026',
    ).optional(),
    send_customer_emails: sendCustomerEmails.default(false),
    process_concurrency_limit: field(
      concurrencyLimit.nullable(),
      `How many accounts may be processed concurrently, 1 to ${limitText(LIMITS.process_concurrency_limit)}; 40 is usual. Null, the default, is no limit.`,
      40,
    ).default(null),
    reject_undocumented_fields: rejectUndocumentedFields.default(false),
  })
  .meta({
    id: 'CreateImportSupplierRequest',
    description: 'Creates an import supplier of an organisation; it is ONGOING.',
    examples: [
      {
        code: 'NORTHWIND-2026',
        name: 'Northwind, spring migration',
        organisation_id: exampleOrganisationId,
        country: 'GB',
        document_root: 'northwind/2026',
      },
    ],
  });
export type CreateImportSupplierRequest = z.infer<typeof CreateImportSupplierRequest>;

export const UpdateImportSupplierRequest = z
  .object({
    code,
    name: name.optional(),
    country: country.optional(),
    document_root: documentRoot.optional(),
    send_customer_emails: sendCustomerEmails.optional(),
    process_concurrency_limit: field(
      concurrencyLimit.nullable(),
      `How many accounts may be processed concurrently, 1 to ${limitText(LIMITS.process_concurrency_limit)}; null removes the limit.`,
      40,
    ).optional(),
    reject_undocumented_fields: rejectUndocumentedFields.optional(),
  })
  .meta({
    id: 'UpdateImportSupplierRequest',
    description: 'Changes the configuration of an import supplier; fields that are left out stay unchanged.',
    examples: [{ code: 'NORTHWIND-2026', process_concurrency_limit: 40 }],
  });
export type UpdateImportSupplierRequest = z.infer<typeof UpdateImportSupplierRequest>;

export const SetImportSupplierStatusRequest = z
  .object({
    code,
    status,
    reason: field(
      prose(LIMITS.staff_reason),
      'Why, for the audit trail; required to reopen an import supplier that is COMPLETE.',
      'A second cohort arrived',
    ).optional(),
  })
  .meta({
    id: 'SetImportSupplierStatusRequest',
    description:
      'ONGOING and PAUSED can change into each other and into COMPLETE; COMPLETE can change into ONGOING with a reason.',
    examples: [{ code: 'NORTHWIND-2026', status: 'PAUSED' }],
  });
export type SetImportSupplierStatusRequest = z.infer<typeof SetImportSupplierStatusRequest>;

export const ListImportSuppliersRequest = z
  .object({
    organisation_id: field(Uuid, 'Only those of this organisation. Default: all.', exampleOrganisationId).optional(),
    limit,
    after: field(
      ImportSupplierCodeInPath,
      'The code of the last import supplier that you received.',
      'NORTHWIND-2026',
    ).optional(),
  })
  .meta({
    id: 'ListImportSuppliersRequest',
    description: 'Asks for the import suppliers, in the order of their codes. The input can be left out.',
    examples: [{ organisation_id: exampleOrganisationId }],
  })
  .default({});
export type ListImportSuppliersRequest = z.infer<typeof ListImportSuppliersRequest>;

export const GetImportSupplierRequest = z.object({ code }).meta({
  id: 'GetImportSupplierRequest',
  description: 'Asks for one import supplier and the progress of its migration.',
  examples: [{ code: 'NORTHWIND-2026' }],
});
export type GetImportSupplierRequest = z.infer<typeof GetImportSupplierRequest>;
