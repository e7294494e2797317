import { DomainError } from '@causeway/domain';
import { TRPCError } from '@trpc/server';
import { getStatusKeyFromCode } from '@trpc/server/unstable-core-do-not-import';
import { errorBodyOf } from '../answers/error-bodies.ts';
import type { Procedure } from './meta.ts';

/** What a call is answered with, over every interface. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A JSON value: the output, or the body of the refusal. */
  body: unknown;
  /** Why it was refused, or what failed. */
  refusal?: Error | undefined;
  /** It was kept under the call's Idempotency-Key: its headers are complete. */
  isKept?: boolean;
}

/** The status of an error in a procedure: that of its code, or 404 where the procedure says that it means "not found". */
export function statusOf({ meta }: Procedure, error: unknown): number {
  return error instanceof DomainError && meta.notFound?.includes(error.code) ? 404 : errorBodyOf(error).status;
}

/** The reply for any error: a refusal in full, a failure of ours without its cause. */
export function refused(procedure: Procedure, error: unknown): Reply {
  const { headers, body } = errorBodyOf(error);
  const refusal = error instanceof Error ? error : new Error('Not an error was thrown', { cause: error });
  return { status: statusOf(procedure, error), headers, body, refusal };
}

/** A refusal or failure as tRPC throws it: its code stands for the HTTP status. */
export function trpcErrorOf(cause: Error, status: number): TRPCError {
  return new TRPCError({ code: getStatusKeyFromCode(status), message: cause.message, cause });
}
