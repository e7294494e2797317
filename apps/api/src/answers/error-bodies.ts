import { type ErrorBody, type ErrorCode, fieldErrorsOf } from '@causeway/contracts';
import { isUnavailable } from '@causeway/db';
import { DomainError } from '@causeway/domain';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { ERROR_STATUS } from './error-status.ts';

/** How an error is answered. `log` is the level to log the error itself at; without it the request's line says enough. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody & Record<string, unknown>;
  log?: 'info' | 'warn' | 'error';
}

const HEADERS_BY_STATUS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'Token' },
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '5' },
};

/** Other refusals with the same status say nothing of a time. */
const HEADERS_BY_CODE: Partial<Record<ErrorCode, Record<string, string>>> = {
  idempotency_key_in_progress: { 'Retry-After': '1' },
};

const CODE_BY_TRPC_CODE: Partial<Record<TRPCError['code'], ErrorCode>> = {
  BAD_REQUEST: 'request_failed_validation',
  PARSE_ERROR: 'invalid_json',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
};

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  request_failed_validation: 'The request failed validation.',
  not_found: 'There is no such procedure.',
  method_not_allowed: 'This procedure does not take this method.',
};

/**
 * What a caller is told of any error (specification 7.2, design 4.3): of a refusal everything, of a failure only that
 * it happened. No text of another library gets through. It knows DomainErrors, bare or inside tRPC's, what tRPC itself
 * refuses, and a database out of reach, read-only, full or too slow (503); all else is `internal_error`, its cause for the log alone.
 */
export function errorBodyOf(error: unknown): ErrorAnswer {
  const refusal = refusalOf(error);
  const { code, message, errors, extra } = refusal;
  const status = ERROR_STATUS[code];
  const body = { detail: message, code, errors, ...extra };
  const headers = HEADERS_BY_CODE[code] ?? HEADERS_BY_STATUS[status] ?? {};
  const log = isOverload(error) ? undefined : severityOf(refusal, status);
  return { status, headers, body, ...(log && { log }) };
}

/** Our own refusal of what is too much: thousands of lines a second with a stack each would only add to it. */
function isOverload(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'service_unavailable';
}

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof TRPCError) return refusalOfTrpc(error);
  // Express, of a path that cannot be decoded.
  if (error instanceof URIError) return new DomainError('not_found', 'Nothing is at this address.');
  if (isUnavailable(error)) {
    return new DomainError(
      'service_unavailable',
      'The service cannot work at the moment. The request may have been done: repeat it as the guide says.',
    );
  }
  return new DomainError(
    'internal_error',
    'Something went wrong on our side. The request may have been done. To report it, quote the X-Request-Id header.',
  );
}

function refusalOfTrpc({ code, cause }: TRPCError): DomainError {
  if (cause instanceof DomainError) return cause;
  const refused = CODE_BY_TRPC_CODE[code];
  if (refused === undefined) return refusalOf(cause);
  const errors = cause instanceof z.core.$ZodError ? fieldErrorsOf(cause, undefined) : [];
  return new DomainError(refused, SENTENCES[refused] ?? 'The request cannot be read.', { errors });
}

/** Every failure of ours needs somebody to look; a vendor's answer says of itself how much. */
function severityOf(refusal: DomainError, status: number): ErrorAnswer['log'] {
  if ('severity' in refusal) return refusal.severity as ErrorAnswer['log'];
  return status >= 500 ? 'error' : undefined;
}
