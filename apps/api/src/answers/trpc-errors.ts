import { getStatusKeyFromCode, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/unstable-core-do-not-import';
import type { ErrorAnswer } from './error-bodies.ts';

/** An error as tRPC's clients read it; `data.error` is the body that REST would have. */
export function trpcErrorShape({ body, status, begun }: Omit<ErrorAnswer, 'headers' | 'log'>, path?: string) {
  const code = getStatusKeyFromCode(status);
  return {
    message: body.detail,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: { code, httpStatus: status, path, error: body, ...(begun === false && { begun }) },
  };
}
