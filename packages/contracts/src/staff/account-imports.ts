import { z } from 'zod';
import { AttemptFailure } from '../errors.ts';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { ExternalAccountNumberInPath, ImportSupplierCodeInPath, lookupText } from '../identifiers.ts';
import { keptFields } from '../kept-fields.ts';
import { LIMITS } from '../limits.ts';
import { OpenRefusal } from '../refusals.ts';
import { prose } from '../text.ts';
import { AuditEvent } from './audit.ts';
import { limit } from './listing.ts';
import { MASK } from './mask.ts';

/** The state of an account import, as the service team sees it (behaviour 3.1). */
export const AccountImportState = z.enum(['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED', 'UNDONE']);
export type AccountImportState = z.infer<typeof AccountImportState>;

const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');
const externalAccountNumber = field(ExternalAccountNumberInPath, "The migrating party's own account number.");
const one = { code, external_account_number: externalAccountNumber };
const exampleOne = { code: 'NORTHWIND-2026', external_account_number: 'NW-0001482' };
const reason = field(prose(LIMITS.staff_reason), 'Why, for the audit trail.', 'Left the supplier before the migration');

export const StaffListAccountImportsRequest = z
  .object({
    code,
    state: optional(AccountImportState, 'Only those in this state. Default: all.', 'FAILED'),
    complete: optional(
      z.boolean(),
      'Only created accounts: true those that are complete, false those with an open refusal. Default: all account imports.',
      false,
    ),
    search: optional(
      lookupText(LIMITS.name),
      'Only those whose external or service account number begins with this. Default: all.',
      'NW-0001',
    ),
    limit,
    after: optional(ExternalAccountNumberInPath, 'The external account number of the last record that you received.'),
  })
  .meta({
    id: 'StaffListAccountImportsRequest',
    description:
      'Asks for account imports of one import supplier, oldest staged first; with `search` and without `complete`, by external account number, and then those whose service account number begins with it, by that.',
    examples: [{ code: 'NORTHWIND-2026', state: 'FAILED', limit: 100 }],
  });
export type StaffListAccountImportsRequest = z.infer<typeof StaffListAccountImportsRequest>;

export const GetAccountImportRequest = z
  .object({
    ...one,
    masked: optional(
      z.boolean(),
      'Whether it is shown without personal data: values, names of undocumented fields, reasons of the service team. Then no view is recorded. Default: false.',
      true,
    ),
  })
  .meta({
    id: 'GetAccountImportRequest',
    description: 'Asks for one account import: its record, its payload and what happened to it.',
    examples: [exampleOne],
  });
export type GetAccountImportRequest = z.infer<typeof GetAccountImportRequest>;

export const SkipAccountImportRequest = z
  .object({ ...one, reason })
  .apply(
    documented,
    'SkipAccountImportRequest',
    'Marks an account import to be skipped: it can be neither staged nor processed.',
  );
export type SkipAccountImportRequest = z.infer<typeof SkipAccountImportRequest>;

export const UnskipAccountImportRequest = z
  .object({ ...one, reason: reason.optional() })
  .apply(documented, 'UnskipAccountImportRequest', 'Removes the mark: the account import is staged again.', 'reason');
export type UnskipAccountImportRequest = z.infer<typeof UnskipAccountImportRequest>;

export const EraseAccountRequest = z.object({ ...one, reason }).meta({
  id: 'EraseAccountRequest',
  description:
    'Permanently erases the personal data of an account: names, contacts, addresses, notes, references, the staged payload. Amounts, dates and account numbers stay. Afterwards nothing can be staged, created or added under its number.',
  examples: [{ ...exampleOne, reason: 'Request of the customer, ticket 4711' }],
});
export type EraseAccountRequest = z.infer<typeof EraseAccountRequest>;

const moment = (description: string, example: string) => field(UtcDatetime, `${description}, in UTC.`, example);
const momentOrNull = (description: string, example: string | null = null) =>
  field(UtcDatetime.nullable(), `${description}, in UTC; null if it did not happen.`, example);
const recordFields = {
  external_account_number: field(z.string(), "The migrating party's own account number.", 'NW-0001482'),
  state: field(
    AccountImportState,
    'STAGED: not attempted since it was staged. FAILED: the last attempt failed. SKIPPED: marked to be skipped. COMPLETED: the account exists. UNDONE: it was taken back, and is to be staged again.',
    'FAILED',
  ),
  service_account_number: field(
    z.string().nullable(),
    'The account number that the platform assigned; null until the account is created.',
    null,
  ),
  times_staged: field(z.number(), 'How often it was staged.', 2),
  attempts: field(z.number(), 'How often its creation was attempted, without dry runs.', 1),
  last_error: field(AttemptFailure.nullable(), 'Why the last attempt failed; null if none did.'),
  skip_reason: field(z.string().nullable(), 'Why it is skipped, or null; may be masked.', null),
  staged_at: moment('When it was first staged', '2026-04-16T16:02:41Z'),
  updated_at: moment('When it last changed', '2026-04-17T09:30:12Z'),
  failed_at: momentOrNull('When the last attempt failed', '2026-04-17T09:30:12Z'),
  skipped_at: momentOrNull('When it was marked to be skipped'),
  completed_at: momentOrNull('When the account was created'),
  payload_removed_at: momentOrNull('When the staged payload was removed'),
  erased_at: momentOrNull('When the personal data of the account was erased'),
  adopted_at: momentOrNull('When the platform started to use the account, which is not undone since'),
  undone_at: momentOrNull('When an account under this number was last undone'),
};
const complete = field(
  z.boolean(),
  'Whether the account exists and none of its operations is refused: COMPLETED without an open refusal.',
  false,
);

/** An account import as the service team sees it (behaviour 14.6). */
export const StaffAccountImport = z
  .object(recordFields)
  .apply(documented, 'StaffAccountImport', 'An account import as the service team sees it.');
export type StaffAccountImport = z.infer<typeof StaffAccountImport>;

/** Everything about one account import (behaviour 14.6). */
export const StaffAccountImportDetail = z
  .object({
    ...recordFields,
    payload: field(
      z.record(z.string(), z.unknown()).nullable(),
      `The last staged account payload, valid under the rules of that day; null after its removal at \`payload_removed_at\`. The audit trail records each view of it. Masked, every value that might describe a person is \`${MASK}\`, and so is the name of a field that is not documented.`,
      { import_supplier: 'NORTHWIND-2026', external_account_number: 'NW-0001482' },
    ),
    undocumented_fields: keptFields,
    complete,
    refusals: field(
      z.array(OpenRefusal),
      'Refusals that nothing has corrected since, and problems reported: oldest first.',
      [],
    ),
    audit_trail: field(
      z.array(AuditEvent),
      `What happened to it, oldest first: the newest ${LIMITS.audit_trail} events.`,
    ),
  })
  .apply(documented, 'StaffAccountImportDetail', 'An account import with its payload and its audit trail.');
export type StaffAccountImportDetail = z.infer<typeof StaffAccountImportDetail>;

/** An account import in a list (behaviour 14.6.9). */
export const ListedAccountImport = z
  .object({ ...recordFields, complete })
  .apply(documented, 'ListedAccountImport', 'An account import in a list of the service team.');
export type ListedAccountImport = z.infer<typeof ListedAccountImport>;

export const StaffListAccountImportsResponse = z
  .array(ListedAccountImport)
  .apply(documented, 'StaffListAccountImportsResponse', 'The account imports, in the order of the request.');
