import { documentationUrl, ERROR_CODES, type ErrorBody, type ErrorCode, type WireCode } from '@causeway/contracts';
import { isUnavailable } from '@causeway/db';
import { DomainError } from '@causeway/domain';
import { TRPCError } from '@trpc/server';
import { getStatusKeyFromCode, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/unstable-core-do-not-import';
import { WireRefusal } from '../http/wire-refusal.ts';

/**
 * How an error is answered. `log` is the level at which the error itself is logged; without it the request's log line
 * is sufficient.
 */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody & Record<string, unknown>;
  log?: 'info' | 'warn' | 'error';
  /** Refused under overload, before anything was begun. */
  begun?: false;
}

/** tRPC's own refusals, in our words. */
const REFUSED_BY_TRPC: Partial<Record<TRPCError['code'], { code: WireCode; detail: string }>> = {
  BAD_REQUEST: { code: 'request_failed_validation', detail: 'The request failed validation.' },
  PARSE_ERROR: { code: 'invalid_json', detail: 'The request cannot be read.' },
  NOT_FOUND: { code: 'not_found', detail: 'There is no such procedure.' },
  METHOD_NOT_SUPPORTED: { code: 'method_not_allowed', detail: 'This procedure does not take this method.' },
  PAYLOAD_TOO_LARGE: { code: 'payload_too_large', detail: 'The request cannot be read.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'unsupported_media_type', detail: 'The request cannot be read.' },
};

/**
 * The body for any error (behaviour 7.2): a refusal in full, a failure without its cause. No text of another library
 * gets through. It handles DomainErrors and WireRefusals, bare or inside tRPC's errors, tRPC's own refusals, and a
 * database that is unreachable, read-only, full or too slow (503); anything else is `internal_error`, with its cause in
 * the log only.
 */
export function errorBodyOf(error: unknown): ErrorAnswer {
  const refusal = refusalOf(error);
  const { code, message, errors } = refusal;
  const { status } = ERROR_CODES[code];
  const documentation_url = documentationUrl(code);
  const body = { detail: message, code, errors, documentation_url, ...('extra' in refusal && refusal.extra) };
  const thrown = error instanceof TRPCError ? error.cause : error;
  const log = isOverload(thrown) ? undefined : severityOf(refusal, status);
  const begun = wasNotBegun(thrown) ? { begun: false as const } : {};
  return { status, headers: headersOf(code), body, ...(log && { log }), ...begun };
}

/** Only the wire refuses before anything was begun. */
function wasNotBegun(thrown: unknown): boolean {
  return thrown instanceof WireRefusal && isOverload(thrown);
}

function headersOf(code: ErrorCode): Record<string, string> {
  const { status, retry_after_s } = ERROR_CODES[code];
  if (retry_after_s !== undefined) return { 'Retry-After': String(retry_after_s) };
  return status === 401 ? { 'WWW-Authenticate': 'Token' } : {};
}

/** Our own refusal under overload: thousands of log lines a second with a stack each would add to the load. */
function isOverload(thrown: unknown): boolean {
  return isRefusal(thrown) && thrown.code === 'service_unavailable';
}

type Refusal = DomainError | WireRefusal;

function isRefusal(error: unknown): error is Refusal {
  return error instanceof DomainError || error instanceof WireRefusal;
}

function refusalOf(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  if (error instanceof TRPCError) return refusalOfTrpc(error);
  // From Express, for a path that cannot be decoded.
  if (error instanceof URIError) return new WireRefusal('not_found', 'No such path: see /docs.');
  if (isUnavailable(error)) {
    return new WireRefusal(
      'service_unavailable',
      'The service cannot work now. The request may have taken effect: repeat it as the guide says.',
    );
  }
  return new WireRefusal(
    'internal_error',
    'Something went wrong on our side. The request may have taken effect. To report it, quote the X-Request-Id header.',
  );
}

function refusalOfTrpc({ code, cause }: TRPCError): Refusal {
  if (isRefusal(cause)) return cause;
  const refused = REFUSED_BY_TRPC[code];
  if (refused === undefined) return refusalOf(cause);
  return new WireRefusal(refused.code, refused.detail);
}

/** Each of our own failures needs attention; a vendor's failure has its own severity. */
function severityOf(refusal: Refusal, status: number): ErrorAnswer['log'] {
  if ('severity' in refusal) return refusal.severity as ErrorAnswer['log'];
  return status >= 500 ? 'error' : undefined;
}

/** An error as tRPC's clients read it; `data.error` is the body that REST would have. */
export function trpcErrorShape({ body, status, begun }: Omit<ErrorAnswer, 'headers' | 'log'>, path?: string) {
  const code = getStatusKeyFromCode(status);
  return {
    message: body.detail,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: { code, httpStatus: status, path, error: body, ...(begun === false && { begun }) },
  };
}
