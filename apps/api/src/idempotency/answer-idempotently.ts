import { hash } from 'node:crypto';
import { accountImportId, answerOnce, type KeptAnswer } from '@causeway/domain';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { errorBodyOf } from '../answers/error-bodies.ts';
import { undocumentedFieldsHeader } from '../answers/undocumented-fields-header.ts';
import type { Context } from '../request/context.ts';
import type { SupplierField } from '../request/supplier-field.ts';
import { WireRefusal } from '../request/wire-refusal.ts';

/** The request was not at fault, so its repeat must be processed again. */
const NOT_KEPT = new Set([429, 500, 503]);
/** Had no effect, and may contain submitted data, which an erasure would not find. A repeat is checked again. */
const HOLDS_WHAT_WAS_SENT = new Set(['account_failed_validation', 'request_failed_validation', 'account_erased']);
const SANE_KEY = /^[\x21-\x7e]{1,255}$/;

/** One call of a procedure, over any interface. */
export interface IdempotentCall {
  /** The procedure's tRPC path, `dataImport.importNotes`. */
  procedurePath: string;
  supplierField: SupplierField;
  input: unknown;
  context: Context;
  /** It calls another service: no transaction may be open around it. */
  outsideTransaction: boolean | undefined;
}

/**
 * Answers a request with an Idempotency-Key (the IETF draft's rules): a repeat gets the first answer, even if that was
 * a refusal; 429, 500, 503 and refusals that may contain submitted data are not kept. `answer` runs in the transaction
 * that also stores its answer.
 */
export function answerIdempotently(
  key: string,
  call: IdempotentCall,
  answer: (context: Context) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  if (!SANE_KEY.test(key)) {
    throw unusableKey('Give 1 to 255 visible ASCII characters, such as a UUID.');
  }
  const { context, outsideTransaction = false } = call;
  const request = { key, ...digestsOf(call), accountImportId: accountOf(call) };
  return answerOnce(context, { request, outsideTransaction }, async (inner) => {
    const ownContext = { ...context, ...inner };
    return answer(ownContext).catch((error: unknown) => keptRefusal(error, context));
  });
}

/** A digest of everything that identifies the request, whatever the order of its fields and parameters. */
function digestsOf({ procedurePath, input, context }: IdempotentCall) {
  const undocumented = context.undocumentedParameters.toSorted();
  const digest = hash('sha256', JSON.stringify([procedurePath, sorted(input), undocumented]), 'buffer');
  // The previous version hashed the fields in their order. The answers that it kept expire 24 hours after the upgrade.
  const formerDigest = hash('sha256', JSON.stringify([procedurePath, input]), 'buffer');
  return { digest, formerDigest };
}

/**
 * A JSON value with the fields of its objects sorted. Sorted values are not copied, and JSON.stringify is called
 * without a replacer function, which took three times as long: a body may have a million values.
 */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortedItems(value) : sortedFields(value as Record<string, unknown>);
}

function sortedItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = sorted(items[index]);
    if (item === items[index]) continue;
    copy ??= [...items];
    copy[index] = item;
  }
  return copy ?? items;
}

function sortedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(fields);
  let result = fields;
  let isInOrder = true;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    if (index > 0 && (names[index - 1] ?? '') > name) isInOrder = false;
    const field = sorted(fields[name]);
    if (field === fields[name]) continue;
    if (result === fields) result = { ...fields };
    result[name] = field;
  }
  return isInOrder ? result : Object.fromEntries(names.sort(byCodeUnits).map((name) => [name, result[name]]));
}

const byCodeUnits = (one: string, other: string) => (one < other ? -1 : 1);

/** The account that a request is about, if it names one. */
function accountOf({ input, supplierField }: IdempotentCall): string | undefined {
  const { [supplierField]: code, external_account_number: number } = Object(input);
  return typeof code === 'string' && typeof number === 'string' ? accountImportId(code, number) : undefined;
}

/** Refuses an Idempotency-Key; `detail` says why. */
export function unusableKey(detail: string): WireRefusal {
  return new WireRefusal('request_failed_validation', 'The Idempotency-Key header cannot be used.', {
    errors: [{ detail, code: 'invalid', attr: 'Idempotency-Key' }],
  });
}

function keptRefusal(error: unknown, context: Context): KeptAnswer {
  const { body, ...answer } = errorBodyOf(error);
  const status = error instanceof TRPCError ? getHTTPStatusCodeFromError(error) : answer.status;
  if (NOT_KEPT.has(status) || HOLDS_WHAT_WAS_SENT.has(body.code) || 'transaction_data' in body) {
    throw error;
  }
  const headers = { ...answer.headers, ...undocumentedFieldsHeader(context.response) };
  return { status, headers, body: JSON.stringify(body) };
}
