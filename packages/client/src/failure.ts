import type { ErrorCode, FieldError } from '@causeway/contracts';
import { TokenRefusal } from '@causeway/rest-client/portable';
import { TRPCClientError } from '@trpc/client';

// The others say that no token can be had now.
const KEY_REFUSED = ['CW-1101', 'CW-1102', 'CW-1103'];

/** Why a call was refused, as in every error body of the service. */
export interface Refusal {
  /** For people; its wording may change. */
  detail: string;
  /** Stable: see the list of codes on the documentation page. */
  code: ErrorCode;
  errors: FieldError[];
  /** The description of `code`, with what to do next: a path of the service. */
  documentation_url: string;
  status: number;
  /** The service was too busy, and did not begin: any call can be sent again. */
  begun?: false;
}

/**
 * Why a call failed, after the last attempt:
 * - `refused`: the service answered, with a refusal
 * - `key_refused`: the API key or the refresh token is not valid, or was revoked; `code` is ObtainToken's
 * - `unavailable`: no answer, for instance because nobody is there, the connection was cut or the time was over. A
 *   mutation may have taken effect.
 */
export type Failure =
  | ({ kind: 'refused' } & Refusal)
  | { kind: 'key_refused'; code: string; detail: string }
  | { kind: 'unavailable'; detail: string };

/** Reads the refusal from an error that a call threw; undefined if the service did not answer. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof TRPCClientError)) {
    return undefined;
  }
  const data = error.data as { error?: Omit<Refusal, 'status'>; httpStatus: number; begun?: false } | null | undefined;
  if (data?.error === undefined) return undefined;
  return { ...data.error, status: data.httpStatus, ...(data.begun === false && { begun: false }) };
}

/** Reads what went wrong from an error that a call threw; undefined for an error that is not a call's. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof TRPCClientError)) {
    return undefined;
  }
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    return { kind: 'refused', ...refusal };
  }
  const { cause, message: detail } = error;
  return cause instanceof TokenRefusal && KEY_REFUSED.includes(cause.code)
    ? { kind: 'key_refused', code: cause.code, detail }
    : { kind: 'unavailable', detail };
}
