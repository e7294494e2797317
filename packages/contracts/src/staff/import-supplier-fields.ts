import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { ALWAYS_TOLD, REMARKS, type RemarkCode } from '../error-codes/remarks.ts';
import { field } from '../field.ts';
import { CountryCode, DocumentRoot, EmailSender, Uuid } from '../formats.ts';
import { ImportSupplierCodeInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { format, text, upperSnake } from '../text.ts';

/** Whether an import supplier accepts accounts (behaviour 3.2). */
export const ImportSupplierStatus = z.enum(['ONGOING', 'PAUSED', 'COMPLETE']);
export type ImportSupplierStatus = z.infer<typeof ImportSupplierStatus>;

/** What happens to undocumented fields (behaviour 2.2.9 to 2.2.12). */
export const UndocumentedFieldsMode = z.enum(['REPORT', 'REJECT', 'KEEP']);
export type UndocumentedFieldsMode = z.infer<typeof UndocumentedFieldsMode>;

/** What happens to doubtful data (behaviour 4.18). */
export const SuspectDataMode = z.enum(['OFF', 'REPORT', 'REFUSE']);
export type SuspectDataMode = z.infer<typeof SuspectDataMode>;

export const exampleOrganisationId = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
export const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');
export const name = field(text(LIMITS.name), 'What the service team calls it.', 'Northwind, spring migration');
export const organisationId = field(Uuid, 'The organisation that owns the import supplier.', exampleOrganisationId);
export const country = field(
  CountryCode,
  'The country of the accounts, as an ISO 3166-1 alpha-2 code: its rules apply to phone numbers and postcodes.',
  'GB',
);
export const documentRoot = field(
  DocumentRoot,
  'The part of the bucket to which document paths are relative; it follows the rules of a document path, without a leading slash.',
  'northwind/2026',
);
export const sendCustomerEmails = field(
  z.boolean(),
  'Whether customers get an e-mail when their account is created. It can be switched on where the service has a mail ' +
    'server (`SMTP_URL`) and the import supplier a sender. What waits when it is switched off waits until it is on again.',
  false,
);
export const emailSender = field(
  EmailSender.nullable(),
  'Who the e-mails to customers come from: a name and an address, or an address alone. Null: none are sent.',
  'Northwind Energy <moving@northwind.example>',
);
const UNSUBSCRIBE =
  /^(?:https:\/\/[A-Za-z0-9][A-Za-z0-9.-]*|mailto:[A-Za-z0-9.!#$%&'*+/=_-]+@[A-Za-z0-9.-]+)[A-Za-z0-9._~:/?#@!$&'*+,;=%-]*$/;
const unsubscribeUrl = format({
  pattern: UNSUBSCRIBE,
  published: '^(?:https:|mailto:)[^\\s<>]+$',
  maximum: LIMITS.email_unsubscribe,
  code: 'invalid',
  detail: 'Must be a URL that begins with https:// or mailto:.',
}).max(LIMITS.email_unsubscribe);
export const emailUnsubscribe = field(
  unsubscribeUrl.nullable(),
  'Where customers say that they want no more e-mails, as a URL (https or mailto): each e-mail names it in the header ' +
    '`List-Unsubscribe`. Null: there is no such header.',
  'mailto:no-more@northwind.example',
);
export const concurrencyLimit = field(
  wholeNumber(1, LIMITS.process_concurrency_limit),
  `How many accounts may be processed concurrently, 1 to ${limitText(LIMITS.process_concurrency_limit)}; 40 is usual.`,
  40,
);
export const rejectUndocumentedFields = field(
  z.boolean(),
  'Whether a payload with an undocumented field is refused: true is `undocumented_fields` REJECT.',
  false,
);
export const undocumentedFieldsMode = field(
  UndocumentedFieldsMode,
  'What happens to undocumented fields, which are always named in the header `Undocumented-Fields`. REPORT: they are ' +
    'ignored. REJECT: the request is refused. KEEP: they are stored with the account under their paths.',
  'REPORT',
);
export const emptyMeansOmitted = field(
  z.boolean(),
  'Whether "", null, [] and {} in an optional field mean that the field is not sent; otherwise they must be valid.',
  false,
);
export const statementAmountUnit = field(
  z.enum(['MAJOR', 'MINOR']),
  'The unit in which the supplier sends the amounts of a statement. MAJOR: pounds, euros. MINOR: whole pence, ' +
    'cents. They are stored and shown in the major unit.',
  'MAJOR',
);
export const accountTypes = field(
  list(upperSnake(), LIMITS.account_types),
  `Account types that the supplier may send in addition to the published ones: UPPER_SNAKE names, at most ${limitText(LIMITS.account_types)}.`,
  ['FARM', 'HOUSEBOAT'],
);
export const balanceCheck = field(
  SuspectDataMode,
  'What happens if amounts do not add up: the transactions of an account to its balance, or the lines and taxes of a ' +
    'supply charge to its amount. OFF: they are not compared. REPORT: they are accepted, and listed as a problem. ' +
    'REFUSE: the account, or the import of transactions, is refused.',
  'REPORT',
);
export const suspectData = field(
  SuspectDataMode,
  'What happens to doubtful data, such as a meter point whose check digit is wrong. OFF: it is not looked for. REPORT: ' +
    'it is stored as it was sent, and listed as a problem. REFUSE: the request is refused.',
  'REPORT',
);
const DECIDED = (Object.keys(REMARKS) as RemarkCode[]).filter(
  (name): name is Exclude<RemarkCode, (typeof ALWAYS_TOLD)[number]> => !ALWAYS_TOLD.some((told) => told === name),
);

export const suspectDataByCode = field(
  z.partialRecord(z.enum(DECIDED), SuspectDataMode),
  'The same for some codes of remarks, instead of `suspect_data`. `balance_check` decides about ' +
    '`balance_does_not_add_up`; `meter_point_in_two_accounts` is found after accounts are stored, and cannot be refused.',
  { unlikely_postcode: 'OFF', damaged_number: 'REFUSE' },
);
export const zeroAmounts = field(
  z.enum(['KEEP', 'OMIT']),
  'What happens to transactions of zero. KEEP: they are stored like any other. OMIT: bulk jobs and `causeway move` leave ' +
    'them out and count them as `omitted`; any other call with one is refused (`zero_amount`).',
  'KEEP',
);
export const undoHours = field(
  wholeNumber(0, LIMITS.undo_hours),
  `For how many hours after its creation an account can be undone, 0 to ${LIMITS.undo_hours}. 0: never.`,
  72,
);
export const suppliersMayUndo = field(
  z.boolean(),
  "Whether the import supplier's organisation may undo accounts and jobs too, within `undo_hours`; otherwise only the service team.",
  false,
);
export const bulkParallelism = field(
  wholeNumber(1, LIMITS.bulk_parallelism),
  `How many chunks of one of its bulk jobs the organisation may have worked on at the same time, 1 to ${LIMITS.bulk_parallelism}.`,
  LIMITS.bulk_parallelism_default,
);
export const status = field(
  ImportSupplierStatus,
  'ONGOING: accepts accounts. PAUSED: refuses them for now. COMPLETE: refuses them, no more are expected.',
  'ONGOING',
);
