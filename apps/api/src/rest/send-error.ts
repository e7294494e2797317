import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestFacts } from '../observability/observe-requests.ts';
import { errorBodyOf } from './error-bodies.ts';

/**
 * The one place where an error of any layer becomes a response (design 4.3). A procedure's error carries its status; a
 * response that has begun can only be cut off.
 */
export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const { status, headers, body, log } = errorBodyOf(error);
    const facts = requestFacts(response);
    facts.errorCode = body.code;
    if (log !== undefined) {
      logger[log]({ request_id: facts.requestId, error: causeOf(error) }, body.code);
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.status(error instanceof TRPCError ? getHTTPStatusCodeFromError(error) : status);
    response.set(headers).json(body);
  };
}

function causeOf(error: unknown): unknown {
  return error instanceof TRPCError ? (error.cause ?? error) : error;
}
