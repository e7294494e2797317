import { LIMITS, type Remark, type UndocumentedFields } from '@causeway/contracts';
import type { ResponseNotes } from '../http/context.ts';

/** Proxies read all headers of an answer into 4 kB, nginx for one: what is longer is a 502 for a call that took effect. */
const MAX_HEADER_LENGTH = 3_000;
const MAX_NAME_LENGTH = 384;
/** What a token of a header must not have (RFC 9110), and the percent sign. */
const NOT_IN_A_TOKEN = /[^!#$&'*+\-.^_`|~0-9A-Za-z]/gu;
const REST = '...';
const NONE = {};

/**
 * Tells the caller of undocumented input, even if the request is refused (behaviour 2.2), and of what is doubtful and
 * accepted (4.18).
 */
export function noteHeaders({ undocumentedFields, remarks }: ResponseNotes): Record<string, string> {
  if (undocumentedFields === undefined && remarks === undefined) return NONE;
  const names = undocumentedFields === undefined ? undefined : namesOf(undocumentedFields);
  const told = [...(remarks ?? [])].map(([name, count]) => ({ text: `${name};count=${count}`, count }));
  return {
    ...(names !== undefined && { 'Undocumented-Fields': names }),
    // Both together are no longer than one may be.
    ...(told.length > 0 && { Remarks: inLine(told, { longest: MAX_HEADER_LENGTH - (names?.length ?? 0) }) }),
  };
}

/** Adds the remarks of a call to those of earlier calls of its batch, by code and field. */
export function addRemarks(notes: ResponseNotes, remarks: readonly Remark[]): void {
  for (const { code, attr } of remarks) {
    // They have a header of their own.
    if (code === 'undocumented_field') continue;
    notes.remarks ??= new Map();
    const name = `${code};field=${tokenOf(attr.replace(INDEX, '*'))}`;
    notes.remarks.set(name, (notes.remarks.get(name) ?? 0) + 1);
  }
}

const INDEX = /(?<=\.)\d+(?=\.|$)/g;

/** Adds what a call found to what the request has already: its query, or earlier calls of its batch. */
export function addUndocumentedFields(notes: ResponseNotes, found: UndocumentedFields | undefined): void {
  const { undocumentedFields: known } = notes;
  if (known === undefined || found === undefined) {
    notes.undocumentedFields = known ?? found;
    return;
  }
  known.others += found.others;
  known.isCounted &&= found.isCounted;
  for (const [name, { count, isInList }] of found.fields) {
    const before = known.fields.get(name);
    if (before !== undefined) before.count += count;
    else if (known.fields.size < LIMITS.reported_errors) known.fields.set(name, { count, isInList });
    else known.others += count;
  }
}

/** Undocumented query parameters, or body fields that belong into the query. */
export function undocumentedNames(names: readonly string[]): UndocumentedFields | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, LIMITS.reported_errors);
  const fields = new Map(shown.map((name) => [name, { count: 1, isInList: false }]));
  return { paths: shown, fields, others: names.length - shown.length, isCounted: true };
}

/**
 * Field names as one header line: a list of tokens, with a count where indexes were folded. They are the client's own
 * text: what no token can have is percent-encoded, so that each name can be decoded. The line ends with `...` and the
 * number of the others if there are too many.
 */
function namesOf({ fields, others, isCounted }: UndocumentedFields): string {
  const names = [...fields].map(([name, { count, isInList }]) => {
    return { text: tokenOf(name) + (isInList ? `;count=${count}` : ''), count };
  });
  return inLine(names, { others: isCounted ? others : Number.NaN });
}

/** As many of the texts as a header takes. `others` are not among them, NaN of unknown number. */
function inLine(
  all: readonly { text: string; count: number }[],
  { others = 0, longest = MAX_HEADER_LENGTH }: { others?: number; longest?: number },
): string {
  const shown: string[] = [];
  let length = 0;
  let left = others;
  for (const { text, count } of all) {
    length += text.length + 2;
    if (length > longest) left += count;
    else shown.push(text);
  }
  if (Number.isNaN(left)) shown.push(REST);
  else if (left > 0) shown.push(`${REST};count=${left}`);
  return shown.join(', ');
}

function tokenOf(name: string): string {
  if (name === REST) return '%2E%2E%2E';
  const token = name.replace(NOT_IN_A_TOKEN, percentEncoded);
  if (token.length <= MAX_NAME_LENGTH) return token;
  let text = '';
  for (const character of name) {
    const next = character.replace(NOT_IN_A_TOKEN, percentEncoded);
    if (text.length + next.length > MAX_NAME_LENGTH) break;
    text += next;
  }
  return text;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** What the caller waits for is usually committed within milliseconds. */
const AFTER_EMPTY_PAGE_S = 1;

/**
 * The `Link` to the next page of a list (behaviour 4.12); nothing at its end. If this page is empty, also when to ask
 * again. `addressOf`: the address of the page at a position.
 */
export function nextPageHeaders(
  { nextPage, isEmptyPage }: ResponseNotes,
  addressOf: (position: NonNullable<ResponseNotes['nextPage']>) => string,
): Record<string, string> {
  if (nextPage === undefined) return {};
  return {
    Link: `<${addressOf(nextPage)}>; rel="next"`,
    ...(isEmptyPage && { 'Retry-After': String(AFTER_EMPTY_PAGE_S) }),
  };
}
