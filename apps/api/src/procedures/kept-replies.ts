import { hash } from 'node:crypto';
import { accountImportId, answerOnce, DomainError, findKeptAnswer, type KeptAnswer } from '@causeway/domain';
import { noteHeaders } from '../answers/reply-headers.ts';
import type { Context } from '../http/context.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import type { Call } from './meta.ts';
import { rememberRefusal } from './remember-refusal.ts';
import { type Reply, refused } from './reply.ts';

/** The request was not at fault, so its repeat must be processed again. */
const NOT_KEPT = new Set([429, 500, 503]);
/** Had no effect, and may contain submitted data, which an erasure would not find. A repeat is checked again. */
const HOLDS_WHAT_WAS_SENT = new Set(['account_failed_validation', 'request_failed_validation', 'account_erased']);
const SANE_KEY = /^[\x21-\x7e]{1,255}$/;

/** A call that the client marked with an Idempotency-Key. */
interface MarkedCall extends Call {
  key: string;
}

/** The call, if it is marked; throws `request_failed_validation` for a key that cannot be used. */
export function markedCall(call: Call): MarkedCall | undefined {
  const { idempotencyKey: key, batched } = call.context;
  const { type, meta } = call.procedure;
  if (key === undefined || type !== 'mutation' || meta.ignoresIdempotencyKey || meta.checks === undefined)
    return undefined;
  if (batched) throw unusableKey('A call with a key must be sent alone, not in a batch.');
  if (!SANE_KEY.test(key)) throw unusableKey('Give 1 to 255 visible ASCII characters, such as a UUID.');
  return { ...call, key };
}

/** Refuses an Idempotency-Key; `detail` says what is wrong with it. */
export function unusableKey(detail: string): WireRefusal {
  return new WireRefusal('request_failed_validation', 'The Idempotency-Key header cannot be used.', {
    errors: [{ detail, code: 'invalid', attr: 'Idempotency-Key' }],
  });
}

/**
 * Replies to a marked call (the IETF draft's rules), whose input was found valid: a repeat over any interface gets the
 * first reply, even if that was a refusal; 429, 500, 503 and refusals that may contain submitted data are not kept.
 * `work` runs in the transaction that also keeps its reply.
 */
export async function replyOnce(call: MarkedCall, work: (within: Context) => Promise<Reply>): Promise<Reply> {
  const { context, procedure } = call;
  const { outsideTransaction = false } = procedure.meta;
  const once = { request: requestOf(call), outsideTransaction };
  const kept = await answerOnce(context, once, async (inner) => {
    const within = { ...context, ...inner };
    try {
      return keptAnswer(await work(within), context);
    } catch (error) {
      const reply = refused(procedure, error);
      if (!mayBeKept(reply)) throw error;
      await rememberRefusal({ ...call, context: within }, error);
      return keptAnswer(reply, context);
    }
  });
  return replyOf(kept);
}

/** The reply that is kept for a call whose input is refused now, if its repeat would have been kept. */
export async function findKeptReply(call: MarkedCall, { code }: DomainError): Promise<Reply | undefined> {
  if (!HOLDS_WHAT_WAS_SENT.has(code)) return undefined;
  const kept = await findKeptAnswer(call.context, requestOf(call));
  return kept && replyOf(kept);
}

function requestOf({ key, procedure, sent, context: { undocumentedParameters } }: MarkedCall) {
  const identity = [procedure.path, sorted(sent), undocumentedParameters.toSorted()];
  const { [procedure.supplierField]: code, external_account_number: number } = Object(sent);
  const namesAccount = typeof code === 'string' && typeof number === 'string' && !procedure.meta.outlivesUndo;
  return {
    key,
    digest: hash('sha256', JSON.stringify(identity), 'buffer'),
    accountImportId: namesAccount ? accountImportId(code, number) : undefined,
  };
}

/** A JSON value whose objects have their fields in one order: a repeat may have another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
}

function mayBeKept({ status, body, refusal }: Reply): boolean {
  if (NOT_KEPT.has(status) || !(refusal instanceof DomainError)) return false;
  return !HOLDS_WHAT_WAS_SENT.has(refusal.code) && !('transaction_data' in Object(body));
}

function keptAnswer({ status, headers, body }: Reply, { response }: Context): KeptAnswer {
  return { status, headers: { ...headers, ...noteHeaders(response) }, body: JSON.stringify(body) };
}

function replyOf({ status, headers, body: text }: KeptAnswer): Reply {
  const body = JSON.parse(text);
  if (status < 400) return { status, headers, body, isKept: true };
  const { code, detail, errors, documentation_url: _, ...extra } = body;
  return { status, headers, body, isKept: true, refusal: new DomainError(code, detail, { errors, extra }) };
}
