import type { ErrorCode } from '@causeway/contracts';
import {
  accountImportId,
  answerOnce,
  DomainError,
  findKeptAnswer,
  type KeptAnswer,
  type MarkedRequest,
} from '@causeway/domain';
import type { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { middlewareMarker } from '@trpc/server/unstable-core-do-not-import';
import { errorBodyOf } from '../answers/error-bodies.ts';
import { trpcErrorOf } from '../answers/trpc-errors.ts';
import { undocumentedFieldsHeader } from '../answers/undocumented-fields-header.ts';
import { type RefusedCall, rememberRefused } from '../refusals/remember-refused.ts';
import type { Context } from '../request/context.ts';
import type { SupplierField } from '../request/supplier-field.ts';
import { WireRefusal } from '../request/wire-refusal.ts';
import { digestsOf } from './request-digest.ts';

/** The request was not at fault, so its repeat must be processed again. */
const NOT_KEPT = new Set([429, 500, 503]);
/** Had no effect, and may contain submitted data, which an erasure would not find. A repeat is checked again. */
const HOLDS_WHAT_WAS_SENT = new Set(['account_failed_validation', 'request_failed_validation', 'account_erased']);
const SANE_KEY = /^[\x21-\x7e]{1,255}$/;

/** What a procedure says of itself that decides how its answers are kept. */
interface MarkedProcedure {
  successStatus?: number;
  /** The codes that are a 404 here. */
  notFound?: readonly ErrorCode[];
  /** It calls another service: no transaction may be open around it. */
  outsideTransaction?: boolean;
}

/** A call of a procedure that the client marked with an Idempotency-Key. */
export interface MarkedCall extends RefusedCall {
  key: string;
  /** The procedure's tRPC path, `dataImport.importNotes`. */
  path: string;
  meta: MarkedProcedure | undefined;
}

/** Throws tRPC's error for a call whose Idempotency-Key cannot be used. */
export function refuseUnusableKey(key: string, { batched }: Context): void {
  if (batched) throw trpcErrorOf(unusableKey('A call with a key must be sent alone, not in a batch.'));
  if (SANE_KEY.test(key)) return;
  throw trpcErrorOf(unusableKey('Give 1 to 255 visible ASCII characters, such as a UUID.'));
}

/**
 * Answers a call with an Idempotency-Key (the IETF draft's rules), whose input was found valid: a repeat over any
 * interface gets the first answer, even if that was a refusal; 429, 500, 503 and refusals that may contain submitted
 * data are not kept. `work` runs in the transaction that also stores its answer.
 */
export async function answerMarked<Data>(call: MarkedCall, work: (context: Context) => Promise<Data>): Promise<Data> {
  const { ctx, meta } = call;
  const { outsideTransaction = false } = meta ?? {};
  const kept = await answerOnce(ctx, { request: requestOf(call), outsideTransaction }, async (inner) => {
    try {
      const data = await work({ ...ctx, ...inner });
      const status = ctx.response.status ?? meta?.successStatus ?? 200;
      return { status, headers: undocumentedFieldsHeader(ctx.response), body: JSON.stringify(data) };
    } catch (error) {
      const refusal = trpcErrorOf(error, meta?.notFound);
      const answer = keptRefusal(refusal, ctx);
      await rememberRefused({ ...call, ctx: { ...ctx, ...inner } }, refusal);
      return answer;
    }
  });
  return dataOf(ctx, kept);
}

/**
 * The answer of a call whose input was refused now: the kept one if there is one, since what is valid may depend on the
 * time. Otherwise it throws the refusal.
 */
export async function answerRefused<Result>(call: MarkedCall, refusal: TRPCError): Promise<Result> {
  if (!HOLDS_WHAT_WAS_SENT.has(errorBodyOf(refusal).body.code)) throw refusal;
  try {
    const kept = await findKeptAnswer(call.ctx, requestOf(call));
    if (kept === undefined) throw refusal;
    return { ok: true, data: dataOf(call.ctx, kept), marker: middlewareMarker } as Result;
  } catch (error) {
    throw trpcErrorOf(error, call.meta?.notFound);
  }
}

/** Refuses an Idempotency-Key; `detail` says what is wrong with it. */
export function unusableKey(detail: string): WireRefusal {
  return new WireRefusal('request_failed_validation', 'The Idempotency-Key header cannot be used.', {
    errors: [{ detail, code: 'invalid', attr: 'Idempotency-Key' }],
  });
}

function requestOf({ key, path: procedurePath, supplierField, ctx, input }: MarkedCall): MarkedRequest {
  const { undocumentedParameters } = ctx;
  const digests = digestsOf({ procedurePath, input, undocumentedParameters });
  return { key, ...digests, accountImportId: accountOf(input, supplierField) };
}

/** The account that a request is about, if it names one. */
function accountOf(input: unknown, supplierField: SupplierField): string | undefined {
  const { [supplierField]: code, external_account_number: number } = Object(input);
  return typeof code === 'string' && typeof number === 'string' ? accountImportId(code, number) : undefined;
}

function keptRefusal(error: TRPCError, { response }: Context): KeptAnswer {
  const { body, headers } = errorBodyOf(error);
  const status = getHTTPStatusCodeFromError(error);
  if (NOT_KEPT.has(status) || HOLDS_WHAT_WAS_SENT.has(body.code) || 'transaction_data' in body) {
    throw error;
  }
  return { status, headers: { ...headers, ...undocumentedFieldsHeader(response) }, body: JSON.stringify(body) };
}

/** A kept answer as what the call returns or throws; REST sends it as it is. */
function dataOf<Data>({ response }: Context, kept: KeptAnswer): Data {
  response.kept = kept;
  const body = JSON.parse(kept.body);
  if (kept.status < 400) return body;
  const { code, detail, errors, documentation_url: _, ...extra } = body;
  throw new DomainError(code, detail, { errors, extra });
}
