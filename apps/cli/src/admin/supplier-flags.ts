import type { Command } from 'commander';
import { Failure } from '../frame/failure.ts';

/** A setting of an import supplier as a flag: `document_root` is `--document-root`. */
export interface SupplierFlag {
  field: string;
  value: string;
  says: string;
  /** What the service gets; text as it is unless given. */
  read?: (text: string, flag: string) => unknown;
}

/** Every setting of the contract (a test holds this); the descriptions here are the short ones. */
export const SUPPLIER_FLAGS: readonly SupplierFlag[] = [
  {
    field: 'country',
    value: '<code>',
    says: 'of the accounts, ISO 3166-1 alpha-2: rules of postcodes and phones (GB)',
  },
  { field: 'document_root', value: '<path>', says: 'part of the bucket that holds its documents (the code)' },
  { field: 'send_customer_emails', value: '<yes|no>', says: 'e-mails to customers on migration (no)', read: yesOrNo },
  {
    ...{ field: 'email_sender', value: '<sender|none>', read: textOrNone },
    says: 'whom they come from: “Northwind <moving@northwind.example>” (none)',
  },
  {
    ...{ field: 'email_unsubscribe', value: '<url|none>', read: textOrNone },
    says: 'where customers say that they want no more, https or mailto (none)',
  },
  {
    ...{ field: 'process_concurrency_limit', value: '<n|none>', read: numberOrNone },
    says: 'accounts that may be processed at the same time, such as 40 (none)',
  },
  {
    ...{ field: 'undocumented_fields', value: '<mode>' },
    says: 'REPORT ignores and names them, REJECT refuses, KEEP stores them (REPORT)',
  },
  {
    field: 'empty_means_omitted',
    value: '<yes|no>',
    says: 'whether "", null, [] and {} mean absent (no)',
    read: yesOrNo,
  },
  { field: 'statement_amount_unit', value: '<unit>', says: 'MAJOR: pounds; MINOR: pence in statements (MAJOR)' },
  { field: 'account_types', value: '<A,B>', says: 'account types beside the published ones; "" for none', read: list },
  { field: 'balance_check', value: '<mode>', says: 'OFF, REPORT or REFUSE amounts that do not add up (REPORT)' },
  { field: 'suspect_data', value: '<mode>', says: 'OFF, REPORT or REFUSE doubtful data (REPORT)' },
  {
    ...{ field: 'suspect_data_by_code', value: '<code=mode,..>', read: modesByCode },
    says: 'the same for some codes: unlikely_postcode=OFF,damaged_number=REFUSE; "" for none',
  },
  { field: 'zero_amounts', value: '<mode>', says: 'KEEP transactions of zero, or OMIT them in jobs and move (KEEP)' },
  {
    ...{ field: 'undo_hours', value: '<n>', read: number },
    says: 'hours after its creation in which an account can be undone, up to 720; 0: never (0)',
  },
  {
    ...{ field: 'suppliers_may_undo', value: '<yes|no>', read: yesOrNo },
    says: 'whether its organisation may undo too (no)',
  },
  {
    field: 'bulk_parallelism',
    value: '<n>',
    says: 'chunks of a bulk job worked on at the same time (2)',
    read: number,
  },
];

/** Adds them, or some of them, to a command; what stands in brackets is what a new supplier has. */
export function addSupplierFlags(command: Command, fields?: readonly string[]): Command {
  for (const { field, value, says } of SUPPLIER_FLAGS) {
    if (fields === undefined || fields.includes(field)) command.option(`${flagOf(field)} ${value}`, says);
  }
  return command;
}

/** The settings that a command was given, as the service takes them. Throws a Failure for a value that none can be. */
export function givenSettings(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { field, read } of SUPPLIER_FLAGS) {
    const text = options[optionOf(field)];
    if (typeof text === 'string') given[field] = read === undefined ? text : read(text, flagOf(field));
  }
  return given;
}

const flagOf = (field: string) => `--${field.replaceAll('_', '-')}`;

/** As commander names it: `documentRoot`. */
const optionOf = (field: string) => field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function yesOrNo(text: string, flag: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new Failure('usage', `${flag} is yes or no, and not “${text}”.`);
  return text === 'yes';
}

function number(text: string, flag: string): number {
  if (!/^[0-9]+$/.test(text)) throw new Failure('usage', `${flag} is a whole number, and not “${text}”.`);
  return Number(text);
}

function numberOrNone(text: string, flag: string): number | null {
  return text === 'none' ? null : number(text, flag);
}

function textOrNone(text: string): string | null {
  return text === 'none' ? null : text;
}

function modesByCode(text: string, flag: string): Record<string, string> {
  const pairs = list(text).map((part) => part.split('='));
  const wrong = pairs.find((pair) => pair.length !== 2);
  if (wrong !== undefined)
    throw new Failure('usage', `${flag} is code=mode, such as damaged_number=REFUSE, and not “${wrong.join('=')}”.`);
  return Object.fromEntries(pairs);
}

function list(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
