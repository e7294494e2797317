import { z } from 'zod';
import { field } from '../field.ts';
import { CountryCode, DocumentPath, Uuid } from '../formats.ts';
import { ImportSupplierCodeInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { text } from '../text.ts';

/** Whether an import supplier accepts accounts (behaviour 3.2). */
export const ImportSupplierStatus = z.enum(['ONGOING', 'PAUSED', 'COMPLETE']);
export type ImportSupplierStatus = z.infer<typeof ImportSupplierStatus>;

export const exampleOrganisationId = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
export const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.', 'NORTHWIND-2026');
export const name = field(text(LIMITS.name), 'What the service team calls it.', 'Northwind, spring migration');
export const organisationId = field(Uuid, 'The organisation that owns the import supplier.', exampleOrganisationId);
export const country = field(
  CountryCode,
  'The country of the accounts, as an ISO 3166-1 alpha-2 code: its rules apply to phone numbers and postcodes.',
  'GB',
);
export const documentRoot = field(
  DocumentPath,
  'The part of the bucket to which document paths are relative; it follows the rules of a document path.',
  'northwind/2026',
);
export const sendCustomerEmails = field(z.boolean(), 'Whether customers get automated e-mails on migration.', false);
export const concurrencyLimit = field(
  wholeNumber(1, LIMITS.process_concurrency_limit),
  `How many accounts may be processed concurrently, 1 to ${limitText(LIMITS.process_concurrency_limit)}; 40 is usual.`,
  40,
);
export const rejectUndocumentedFields = field(
  z.boolean(),
  'Whether a payload with an undocumented field is refused; otherwise the field is ignored and named in a header.',
  false,
);
export const status = field(
  ImportSupplierStatus,
  'ONGOING: accepts accounts. PAUSED: refuses them for now. COMPLETE: refuses them, no more are expected.',
  'ONGOING',
);
