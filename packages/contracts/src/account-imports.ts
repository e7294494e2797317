import { z } from 'zod';
import { documented, field, optional } from './field.ts';
import { UtcDatetime } from './formats.ts';
import {
  ExternalAccountNumber,
  ExternalAccountNumberInPath,
  ImportSupplierCode,
  ImportSupplierCodeInPath,
  ServiceAccountNumber,
  ServiceAccountNumberOrNull,
  StoredExternalAccountNumber,
} from './identifiers.ts';
import { LIMITS } from './limits.ts';
import { pageLimit } from './paging.ts';
import { text } from './text.ts';

/** What stage answers (behaviour 4.2). */
export const StageAccountResponse = z
  .object({ import_supplier: ImportSupplierCode, external_account_number: ExternalAccountNumber })
  .apply(
    documented,
    'StageAccountResponse',
    'The account is staged: it can be staged again with other data, or processed.',
  );
export type StageAccountResponse = z.infer<typeof StageAccountResponse>;

/** The request that creates a staged account (behaviour 4.3). */
export const ProcessAccountRequest = z
  .object({
    external_account_number: ExternalAccountNumber,
    import_supplier_code: ImportSupplierCode,
    operations_team_name: field(
      text(LIMITS.operations_team_name),
      'The name of an existing operations team, to which the account is linked.',
      'Migration support',
    ),
    dry_run: field(
      z.boolean(),
      'True: perform the whole creation and roll it back. The answer to a success is then 400 `dry_run_rolled_back`.',
      false,
    ).default(false),
  })
  .apply(documented, 'ProcessAccountRequest', 'Creates the platform account of a staged account import.', 'dry_run');
export type ProcessAccountRequest = z.infer<typeof ProcessAccountRequest>;

export const ProcessAccountResponse = z
  .object({ service_account_number: ServiceAccountNumber, external_account_number: StoredExternalAccountNumber })
  .apply(documented, 'ProcessAccountResponse', 'The account is created.');
export type ProcessAccountResponse = z.infer<typeof ProcessAccountResponse>;

/** The progress of an account, as the status endpoint reports it (behaviour 3.1). */
export const AccountStatus = z.enum(['UNKNOWN', 'IN_PROGRESS', 'COMPLETED']);

export const AccountStatusRequest = z
  .object({
    import_supplier_code: ImportSupplierCodeInPath,
    external_account_number: ExternalAccountNumberInPath,
  })
  .apply(documented, 'AccountStatusRequest', 'Asks for the status of one account import.');
export type AccountStatusRequest = z.infer<typeof AccountStatusRequest>;

/** What the status endpoint answers (behaviour 4.8). */
export const AccountStatusResponse = z
  .object({
    status: field(
      AccountStatus,
      'UNKNOWN: staged, but no account exists. IN_PROGRESS: a process call is creating it now. COMPLETED: it exists.',
      'COMPLETED',
    ),
    service_account_number: field(
      z.string(),
      'The account number that the platform assigned; an empty string until the account is created.',
      'A-7K3M9QXT',
    ),
  })
  .meta({
    id: 'AccountStatusResponse',
    description: 'The status of one account import.',
    examples: [
      { status: 'COMPLETED', service_account_number: 'A-7K3M9QXT' },
      { status: 'UNKNOWN', service_account_number: '' },
    ],
  });
export type AccountStatusResponse = z.infer<typeof AccountStatusResponse>;

/** The request of the three lists (behaviour 4.9 to 4.12). */
export const ListAccountImportsRequest = z
  .object({
    import_supplier_code: ImportSupplierCodeInPath,
    limit: pageLimit('records', 500),
    after: optional(
      ExternalAccountNumberInPath,
      'The external account number of the last record that you received; the list continues after it. Resume from there ' +
        'later to learn what was added since: no record ever appears in front of the end of a page.',
    ),
  })
  .apply(documented, 'ListAccountImportsRequest', 'Asks for account imports of one import supplier.', 'after');
export type ListAccountImportsRequest = z.infer<typeof ListAccountImportsRequest>;

/** One line of the lists (behaviour 2.8). */
export const AccountImportRecord = z
  .object({
    external_account_number: StoredExternalAccountNumber,
    service_account_number: ServiceAccountNumberOrNull,
    account_created_at: field(
      UtcDatetime.nullable(),
      'When the account was created, in UTC; null until then.',
      '2026-04-17T09:30:12Z',
    ),
  })
  .meta({
    id: 'AccountImportRecord',
    description: 'One account import.',
    examples: [
      {
        external_account_number: 'NW-0001482',
        service_account_number: 'A-7K3M9QXT',
        account_created_at: '2026-04-17T09:30:12Z',
      },
      { external_account_number: 'NW-0001483', service_account_number: null, account_created_at: null },
    ],
  });
export type AccountImportRecord = z.infer<typeof AccountImportRecord>;

export const ListAccountImportsResponse = z
  .array(AccountImportRecord)
  .apply(documented, 'ListAccountImportsResponse', 'The account imports, in the order of the list.');
