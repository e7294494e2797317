import {
  AccountPayload,
  BookLine,
  FIELDS_OF_SPECIAL_WEIGHT,
  hasMadeUpName,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
  kindOfPath,
  LIMITS,
  MASK,
  ProcessAccountRequest,
} from '@causeway/contracts';

/** What is remembered of a field at fault: never its value, and no sentence, which may contain one. */
export interface RefusedField {
  code: string;
  /** The path that was reported, without the parts that look like a value, and up to a field of special weight. */
  attr: string;
}

/** A field's name, or an index of a list: anything else in a path was chosen by the client, and may be a value. */
const NAME_OR_INDEX = /^(?:[a-z][A-Za-z0-9_]{0,63}|\d{1,5}|\*)$/;
const INDEX = /^\d+$/;

/**
 * The codes and paths of errors; a part of a path that may be a value becomes `?`. A path ends before a field of
 * special weight: a list of problems must not tell whose account has one.
 */
export function refusedFields(errors: readonly RefusedField[]): RefusedField[] {
  return errors
    .slice(0, LIMITS.reported_errors)
    .map(({ code, attr }) => ({ code, attr: withoutValues(beforeSpecialWeight(attr)) }));
}

/** The requests and lines whose refusals are remembered. */
const REMEMBERED = [
  AccountPayload,
  BookLine,
  ProcessAccountRequest,
  ImportNotesRequest,
  ImportTransactionsRequest,
  ImportStatementsRequest,
  ImportPaymentInstructionRequest,
];

/**
 * The problems of a refusal, each as its code, a space, and the path without indexes: `invalid_phone_number
 * customers.*.landline`. If no field is at fault, the path is empty.
 */
export function problemsOf(
  code: string,
  fields: readonly RefusedField[],
  pathOf: (attr: string) => string = withoutIndexes,
): string[] {
  const atFault = fields.length === 0 ? [{ code, attr: '' }] : fields;
  return [...new Set(atFault.map((field) => `${field.code} ${pathOf(field.attr)}`))];
}

/**
 * The same as kinds: names that are not documented are `*` too, `undocumented_field customers.*.*`. A caller may make up
 * as many names as it likes, and kinds are counted, listed and kept.
 */
export function kindsOf(code: string, fields: readonly RefusedField[]): string[] {
  return problemsOf(code, fields, documentedPart);
}

/** A path in which names that are not documented are `*`: their senders may have written anything there. */
export function documentedPart(attr: string): string {
  return kindOfPath(REMEMBERED, attr);
}

/** Whether a path has a name that is not documented. */
export function isMadeUp(attr: string): boolean {
  return hasMadeUpName(REMEMBERED, attr);
}

function beforeSpecialWeight(attr: string): string {
  const parts = attr.split('.');
  const end = parts.findIndex((part) => FIELDS_OF_SPECIAL_WEIGHT.has(part));
  return end === -1 ? attr : parts.slice(0, end).join('.');
}

function withoutValues(attr: string): string {
  return attr === '' ? '' : mapParts(attr, (part) => (NAME_OR_INDEX.test(part) ? part : '?'));
}

function withoutIndexes(attr: string): string {
  return mapParts(attr, (part) => (INDEX.test(part) ? '*' : part));
}

function mapParts(attr: string, change: (part: string) => string): string {
  return attr.split('.').map(change).join('.');
}

interface Refused {
  detail?: unknown;
  errors?: readonly { attr: string; detail?: string }[] | undefined;
}

/**
 * A refusal whose errors name no undocumented fields, nor do its sentences: senders may have written names of people there
 * (behaviour 14.3.5).
 */
export function withoutMadeUpNames<Record extends Refused>(refused: Record): Record {
  const { errors = [], detail } = refused;
  if (!errors.some(({ attr }) => isMadeUp(attr))) return refused;
  return {
    ...refused,
    ...(typeof detail === 'string' && { detail: MASK }),
    errors: errors.map((error) => {
      const { attr, detail: sentence } = error;
      if (!isMadeUp(attr)) return error;
      return { ...error, attr: documentedPart(attr), ...(sentence !== undefined && { detail: MASK }) };
    }),
  };
}
