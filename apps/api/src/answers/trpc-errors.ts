import type { ErrorCode } from '@causeway/contracts';
import { DomainError } from '@causeway/domain';
import { getTRPCErrorFromUnknown, TRPCError } from '@trpc/server';
import { getStatusKeyFromCode, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/unstable-core-do-not-import';
import { type ErrorAnswer, errorBodyOf } from './error-bodies.ts';

/**
 * The tRPC error for anything that a procedure threw, with the error itself as its cause. tRPC's code stands for the
 * HTTP status: the one in the table, or 404 if the procedure declares that the code means "not found".
 */
export function trpcErrorOf(error: unknown, notFound: readonly ErrorCode[] = []): TRPCError {
  const { message, cause = error } = getTRPCErrorFromUnknown(error);
  const status = cause instanceof DomainError && notFound.includes(cause.code) ? 404 : errorBodyOf(cause).status;
  return new TRPCError({ code: getStatusKeyFromCode(status), message, cause });
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
