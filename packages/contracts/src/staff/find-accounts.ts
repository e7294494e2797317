import { z } from 'zod';
import { documented, field } from '../field.ts';
import { ImportSupplierCodeInPath, ServiceAccountNumberOrNull } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { text } from '../text.ts';
import { AccountImportState, ListedAccountImport } from './account-imports.ts';

const code = field(ImportSupplierCodeInPath, 'Only those of this import supplier. Default: of all.');

/** The request that finds a customer’s account (behaviour 14.6.5). */
export const FindAccountImportsRequest = z
  .object({
    text: field(
      text(LIMITS.name),
      'The beginning of an account number, of a name (given, family or both, or of a business) or of an e-mail address, or the whole id of a request. Letter case counts in numbers and ids only. With a READ_ONLY key a name (given and family, or of a business) or an e-mail address has to be whole.',
      'hartley',
    ),
    code: code.optional(),
  })
  .meta({
    id: 'FindAccountImportsRequest',
    description: 'Finds account imports by what a customer or an import supplier can tell of them.',
    examples: [{ text: 'hartley' }, { text: 'NW-00014', code: 'NORTHWIND-2026' }],
  });
export type FindAccountImportsRequest = z.infer<typeof FindAccountImportsRequest>;

/** An account import that was found, and by what. */
export const FoundAccountImport = z
  .object({
    code: field(z.string(), 'The code of its import supplier.', 'NORTHWIND-2026'),
    external_account_number: field(z.string(), "The migrating party's own account number.", 'NW-0001482'),
    service_account_number: ServiceAccountNumberOrNull,
    state: field(
      AccountImportState.nullable(),
      'The state of the account import; null if the account was refused and never staged.',
      'COMPLETED',
    ),
    complete: ListedAccountImport.shape.complete,
    matched: field(
      z.enum(['external_account_number', 'service_account_number', 'request_id', 'email', 'name']),
      'What begins with the text, or is it: the first of them, in this order.',
      'name',
    ),
  })
  .apply(documented, 'FoundAccountImport', 'An account import that was found: no name, no address.');
export type FoundAccountImport = z.infer<typeof FoundAccountImport>;

export const FindAccountImportsResponse = z
  .object({
    matches: field(
      z.array(FoundAccountImport),
      `The account imports, by \`matched\` and then by number: up to ${limitText(LIMITS.found_accounts)}.`,
    ),
    more: field(z.boolean(), 'Whether there may be more of them: a longer text finds fewer.', false),
  })
  .apply(documented, 'FindAccountImportsResponse', 'The account imports that were found.');
export type FindAccountImportsResponse = z.infer<typeof FindAccountImportsResponse>;
