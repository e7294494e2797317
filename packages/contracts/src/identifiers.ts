import { z } from 'zod';
import { faultOfLookup, NUL_CHARACTERS } from './characters.ts';
import { field } from './field.ts';
import { LIMITS, limitText } from './limits.ts';
import { identifierOfStored, shapedText } from './text.ts';

const IDENTIFIER_CHARACTERS =
  'has no white space around it and no control, invisible or unassigned characters, and is in Unicode normalisation form NFKC.';
/** The part of an identifier's description about its characters. */
export const IDENTIFIER_RULE = `It ${IDENTIFIER_CHARACTERS}`;
/** The same, where something stored may be meant. */
export const NEW_IDENTIFIER_RULE = `A new one ${IDENTIFIER_CHARACTERS}`;

const IMPORT_SUPPLIER_CODE = /^[A-Z0-9_-]+(?: [A-Z0-9_-]+)*$/;
export const CODE_RULE = `1 to ${limitText(LIMITS.import_supplier)} characters of A-Z, 0-9, underscore and hyphen, and single spaces between them`;

/** The code of an import supplier in a body (behaviour 2.1). */
export const ImportSupplierCode = field(
  shapedText(LIMITS.import_supplier, IMPORT_SUPPLIER_CODE, `Must be ${CODE_RULE}.`),
  `The import supplier code that the service team gave you: ${CODE_RULE}, compared exactly.`,
  'NORTHWIND-2026',
);

/** The migrating party's own account number in a body (behaviour 2.1): a staged one is found whatever its form. */
export const ExternalAccountNumber = field(
  identifierOfStored(LIMITS.external_account_number),
  `Your own account number, 1 to ${limitText(LIMITS.external_account_number)} characters, compared exactly, including letter case. With the import supplier code it identifies one account import. ${NEW_IDENTIFIER_RULE} A new one is not \`.\` or \`..\`, which no HTTP client can send in a path.`,
  'NW-0001482',
);

/** The external account number in an answer. */
export const StoredExternalAccountNumber = field(
  z.string(),
  'Your own account number, as you staged it.',
  'NW-0001482',
);

/** Any text that can be looked up, including the empty one: it is either found or not found. */
export function lookupText(maximum: number): z.ZodString {
  return z
    .string()
    .max(maximum)
    .refine((value) => value.length > maximum || faultOfLookup(value) === undefined, {
      error: NUL_CHARACTERS.detail,
      params: { code: NUL_CHARACTERS.code },
    });
}

/** Names something in a path: what does not exist, whatever its form, is answered with 404 (behaviour 4.13). */
export const NamedInPath = lookupText(LIMITS.path_parameter);

export const ImportSupplierCodeInPath = field(
  NamedInPath,
  'The import supplier code that the service team gave you, compared exactly.',
  'NORTHWIND-2026',
);

export const ExternalAccountNumberInPath = field(
  NamedInPath,
  'Your own account number as you staged it, compared exactly; percent-encode it.',
  'NW-0001482',
);

/** The platform's account number in a response (behaviour 2.1). */
export const ServiceAccountNumber = field(
  z.string().meta({ pattern: '^A-[0-9A-HJKMNP-TV-Z]{8}$' }),
  'The account number that the platform assigned on creation.',
  'A-7K3M9QXT',
);

/** The same of an account that may not exist yet. */
export const ServiceAccountNumberOrNull = field(
  ServiceAccountNumber.nullable(),
  'The account number that the platform assigned; null until the account is created.',
);
