import type { ErrorCode } from '@causeway/contracts';
import { DomainError } from '@causeway/domain';
import { TRPCError } from '@trpc/server';
import { getStatusKeyFromCode } from '@trpc/server/unstable-core-do-not-import';
import { errorBodyOf } from './rest/error-bodies.ts';

/**
 * The tRPC error for whatever a procedure threw, with the error itself as its cause. tRPC's code is the HTTP status by
 * another name: the one of the table, or 404 where the procedure says that a code means "not found" there.
 */
export function trpcErrorOf(error: TRPCError, notFound: readonly ErrorCode[] = []): TRPCError {
  const cause = error.cause ?? error;
  const status = cause instanceof DomainError && notFound.includes(cause.code) ? 404 : errorBodyOf(cause).status;
  return new TRPCError({ code: getStatusKeyFromCode(status), message: error.message, cause });
}
