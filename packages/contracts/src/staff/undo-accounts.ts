import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { documented, field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { ExternalAccountNumberInPath, ImportSupplierCodeInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { prose } from '../text.ts';
import { undoFields } from '../undo-account.ts';

const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');
const number = field(ExternalAccountNumberInPath, "The migrating party's own account number.");

/** Undoes an account for the service team (behaviour 30.1). */
export const UndoAccountImportRequest = z
  .object({
    code,
    external_account_number: number,
    reason: field(prose(LIMITS.staff_reason), 'Why, for the audit trail.', 'Moved with the wrong tariff'),
    ...undoFields,
  })
  .apply(documented, 'UndoAccountImportRequest', 'Takes an account back, with everything imported into it.', 'dry_run');
export type UndoAccountImportRequest = z.infer<typeof UndoAccountImportRequest>;

/** Says that the platform uses accounts (behaviour 30.2). */
export const AdoptAccountsRequest = z
  .object({
    code,
    external_account_numbers: field(
      list(number, LIMITS.adopted_accounts, 1),
      `The accounts, 1 to ${limitText(LIMITS.adopted_accounts)}.`,
      ['NW-0001482', 'NW-0001483'],
    ),
  })
  .apply(
    documented,
    'AdoptAccountsRequest',
    'Says that the platform has started to use accounts: they are not undone.',
  );
export type AdoptAccountsRequest = z.infer<typeof AdoptAccountsRequest>;

export const AdoptAccountsResponse = z
  .array(
    z.object({
      external_account_number: number,
      adopted_at: field(
        UtcDatetime.nullable(),
        'Since when the account cannot be undone, in UTC; null if no account has this number now.',
        '2026-04-18T06:00:00Z',
      ),
    }),
  )
  .apply(documented, 'AdoptAccountsResponse', 'The accounts, in the order of the request.');
export type AdoptAccountsResponse = z.infer<typeof AdoptAccountsResponse>;
