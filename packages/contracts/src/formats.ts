import { z } from 'zod';
import { pathBelowRoot, staysBelowRoot } from './document-path.ts';
import { LIMITS } from './limits.ts';
import { format, shapedText } from './text.ts';

/** The 249 officially assigned codes of ISO 3166-1 alpha-2. */
const COUNTRY_CODES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
    'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
    'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

// Real calendar days in 1900 to 2200: the regular expression handles the lengths of months and leap years.
const DAY =
  '(?:(?:(?:19|20|21)[0-9][0-9]|2200)-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:(?:19|20|21)(?:0[48]|[2468][048]|[13579][26])|2000)-02-29)';
const DATE = new RegExp(`^${DAY}$`);
const DATETIME = new RegExp(`^${DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$`);

const DATE_OR_DATETIME = new RegExp(`^${DAY}(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?$`);

const EMAIL =
  /^(?=.{1,64}@)(?=\.*[^.@])[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}(?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u;
const LANGUAGE_TAG =
  /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[A-Za-z](?:-[A-Za-z0-9]{2,8})+)*$/;
const POSTCODE = /^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,8}[A-Za-z0-9])$/;
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

const POINTS_DOWN = /^(?!\/?[A-Za-z][A-Za-z0-9+.-]*:)[^\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;

const hasAtMost = (text: string, characters: number) => text.length <= characters || [...text].length <= characters;

/** A day, 'YYYY-MM-DD' (behaviour 2.2); compares as text. */
export const CalendarDate = format({
  pattern: DATE,
  maximum: 10,
  code: 'invalid_date',
  detail: 'Must be a real calendar day written YYYY-MM-DD, years 1900 to 2200. Leave an open end out.',
}).meta({ format: 'date' });

/** A currency, as three capital letters; which of them exist changes, so that is not checked. */
export const CurrencyCode = format({
  pattern: /^[A-Z]{3}$/,
  maximum: 3,
  code: 'invalid',
  detail: 'Must be an ISO 4217 currency code in capitals, such as GBP.',
});

/** A datetime, 'YYYY-MM-DDTHH:MM:SSZ' (behaviour 2.2); compares as text. */
export const UtcDatetime = format({
  pattern: DATETIME,
  maximum: 20,
  code: 'invalid_datetime',
  detail: 'Must be a real datetime written YYYY-MM-DDTHH:MM:SSZ, years 1900 to 2200.',
}).meta({ format: 'date-time' });

/** Either of them; two of different lengths compare by their days. */
export const DateOrDatetime = format({
  pattern: DATE_OR_DATETIME,
  maximum: 20,
  code: 'invalid_date',
  detail:
    'Must be a real calendar day written YYYY-MM-DD, or a datetime written YYYY-MM-DDTHH:MM:SSZ. Leave an open end out.',
});

/** Dots that RFC 5322 allows only in quotation marks; some Japanese carriers gave such addresses away. */
const UNUSUAL_DOTS = /^\.|\.\.|\.@/;

/** Whether an accepted e-mail address has dots that few mail servers take. */
export function isUnusualEmailAddress(address: string): boolean {
  return UNUSUAL_DOTS.test(address);
}

/** A realistic e-mail address, in any script; dots may stand anywhere before the @ (behaviour 2.2). */
export const EmailAddress = format({
  pattern: EMAIL,
  published: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
  maximum: LIMITS.email,
  code: 'invalid_email',
  detail: 'Must be an e-mail address, such as sam@example.com.',
}).max(LIMITS.email);

const SENDER = /^(?:(?<name>[\p{L}\p{M}\p{N} .&'+/_-]{1,100}) <(?<named>[^<>\s]+)>|(?<bare>[^<>\s]+))$/u;

/** Who an e-mail comes from: a name and an address, or an address alone. */
export function senderParts(sender: string): { name: string | undefined; address: string } {
  const { name, named, bare = '' } = SENDER.exec(sender)?.groups ?? {};
  return { name: name?.trim(), address: named ?? bare };
}

/** `Northwind Energy <moving@northwind.example>`, or the address alone. */
export const EmailSender = format({
  pattern: SENDER,
  published: '^[^@\\s][^@]*@[^@\\s]+\\.[^@\\s]+$',
  accepts: (sender) => {
    const { address } = senderParts(sender);
    return address.length <= LIMITS.email && EMAIL.test(address) && !isUnusualEmailAddress(address);
  },
  maximum: LIMITS.email_sender,
  code: 'invalid_email',
  detail:
    "Must be a name of letters, digits, spaces and .&'+/_- with an e-mail address in angle brackets, or the address alone: Northwind Energy <moving@northwind.example>.",
}).max(LIMITS.email_sender);

/** Only the general form; `packages/rules` checks the form of a country's postcodes. */
export const Postcode = format({
  pattern: POSTCODE,
  maximum: 10,
  code: 'invalid_postcode',
  detail: 'Must be a postcode: 2 to 10 letters, digits, spaces and hyphens.',
});

const PLAIN_PARTS =
  'an empty, blank, "." or ".." part (";parameters" left out), a backslash, a control or invisible character, any of these percent-encoded, or a scheme';
const documentPath = { pattern: POINTS_DOWN, maximum: LIMITS.document_path, code: 'invalid_document_path' } as const;

const LONGEST_PATH = LIMITS.document_path + 1;

/**
 * A document path (behaviour 2.3): relative to the root configured for the import supplier; one slash may precede it,
 * which does not count.
 */
export const DocumentPath = format({
  ...documentPath,
  maximum: LONGEST_PATH,
  published: '^[/]?[^/\\\\][\\s\\S]*$',
  accepts: (path) => hasAtMost(pathBelowRoot(path), LIMITS.document_path) && staysBelowRoot(pathBelowRoot(path)),
  detail: `Must be a path of 1 to ${LIMITS.document_path} characters below the document root, with at most one leading slash and without ${PLAIN_PARTS}.`,
}).meta({ minLength: 1, maxLength: LONGEST_PATH });

/** The root itself, which follows the bucket and a slash: no slash precedes it. */
export const DocumentRoot = format({
  ...documentPath,
  published: '^[^/\\\\][\\s\\S]*$',
  accepts: (path) => hasAtMost(path, LIMITS.document_path) && staysBelowRoot(path),
  detail: `Must be a relative path of 1 to ${LIMITS.document_path} characters without a leading slash, ${PLAIN_PARTS}.`,
}).meta({ minLength: 1, maxLength: LIMITS.document_path });

/** An ISO 3166-1 alpha-2 code in capitals. */
export const CountryCode = z
  .string()
  .refine((value) => COUNTRY_CODES.has(value), {
    error: 'Must be an ISO 3166-1 alpha-2 country code in capitals, such as GB.',
    params: { code: 'invalid_country' },
  })
  .meta({ pattern: '^[A-Z]{2}$' });

/** A well-formed BCP 47 language tag. */
export const LanguageTag = shapedText(35, LANGUAGE_TAG, 'Must be a BCP 47 language tag, such as en-GB.');

export const Uuid = shapedText(36, UUID, 'Must be a UUID.').meta({ format: 'uuid' });
