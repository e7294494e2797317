import {
  AccountPayload,
  BookControl,
  BookLine,
  type FieldError,
  fieldErrorsOf,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportTransactionsRequest,
} from '@causeway/contracts';
import type { BookSettings } from './checked-line.ts';

type Fields = Record<string, unknown>;

/** A line by what its fields are for. */
export interface LineFields {
  /** The whole line. */
  sent: Fields;
  /** An object, or whatever was sent in its place. */
  account: unknown;
  external_account_number: unknown;
  /** The parts of the history that are beside the account; those that say nothing are left out. */
  history: Fields;
  control: BookControl | undefined;
  /** Undocumented fields of the line itself. */
  others: Fields;
  /** Problems of the line itself. */
  errors: FieldError[];
}

const HISTORY = ['notes', 'transactions', 'statements', 'payment_instruction', 'payment_instructions'] as const;

/** Fields that mean something elsewhere: in a line they would be lost, or do what nobody expects. */
const MISPLACED = new Set(
  [AccountPayload, ImportNotesRequest, ImportTransactionsRequest, ImportPaymentInstructionRequest]
    .flatMap(({ shape }) => Object.keys(shape))
    .filter((name) => !(name in BookLine.shape)),
);

/** Takes a line apart. Where empty fields mean that they are omitted, the line's own empty fields are. */
export function fieldsOfLine(
  line: Fields,
  { importSupplier }: { importSupplier: Pick<BookSettings['importSupplier'], 'empty_means_omitted'> },
): LineFields {
  const fields: LineFields = {
    sent: line,
    account: undefined,
    external_account_number: undefined,
    history: {},
    control: undefined,
    others: {},
    errors: [],
  };
  for (const [name, value] of Object.entries(line)) {
    const isOmitted = importSupplier.empty_means_omitted && isEmpty(value) && name in BookLine.shape;
    if (!isOmitted) take(fields, name, value);
  }
  return fields;
}

function take(fields: LineFields, name: string, value: unknown): void {
  if (name === 'account' || name === 'external_account_number') fields[name] = value;
  else if (name === 'control') takeControl(fields, value);
  else if (HISTORY.some((part) => part === name)) takeHistory(fields, name, value);
  else if (MISPLACED.has(name)) fields.errors.push({ ...NOT_OF_A_LINE, attr: name });
  else fields.others[name] = value;
}

/** An empty list brings nothing, as in an account. */
function takeHistory({ history }: LineFields, name: string, value: unknown): void {
  const isList = name !== 'payment_instruction' && Array.isArray(value);
  if (!isList || value.length > 0) history[name] = value;
}

/** A field of it that is misspelt would be an expectation that nobody checks. */
function takeControl(fields: LineFields, control: unknown): void {
  const parsed = BookControl.safeParse(control);
  if (parsed.success) fields.control = parsed.data;
  else fields.errors.push(...fieldErrorsOf(parsed.error, control).map(inControl));
  for (const name of isFields(control) ? Object.keys(control) : []) {
    if (!(name in BookControl.shape)) fields.errors.push({ ...NOT_OF_CONTROL, attr: `control.${name}` });
  }
}

function inControl({ attr, ...error }: FieldError): FieldError {
  return { ...error, attr: attr === '' ? 'control' : `control.${attr}` };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === null;
  return Object.keys(value).length === 0;
}

/** What is in two places of a line: one of them would be lost. */
export function sentTwice(attr: string): FieldError {
  return { detail: 'Give this field in one place of the line only.', code: 'history_spelled_twice', attr };
}

const NOT_OF_A_LINE: Omit<FieldError, 'attr'> = {
  detail: 'A line has no such field: what belongs to an account is in `account`, and a job has options.',
  code: 'undocumented_field',
};
const NOT_OF_CONTROL: Omit<FieldError, 'attr'> = {
  detail: 'Unknown figure: it would not be checked.',
  code: 'undocumented_field',
};
