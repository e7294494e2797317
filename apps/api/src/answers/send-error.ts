import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import type { Logger } from 'pino';
import { discardBody } from '../bodies/discard-body.ts';
import { requestFacts, requestIds } from '../http/request-facts.ts';
import { type ErrorAnswer, errorBodyOf } from './error-bodies.ts';
import { sendJson } from './send-json.ts';

/** The content of the body, for an interface that wraps it in its own shape. */
export type ErrorShape = (answer: ErrorAnswer) => object;

/**
 * The one place where an error of any layer becomes a response (behaviour 7.2).
 * A response that has begun can only be cut off.
 */
export function createErrorHandler(
  { logger, bodyTimeoutMs }: { logger: Logger; bodyTimeoutMs: number },
  shape: ErrorShape = ({ body }) => body,
): (error: unknown, request: IncomingMessage, response: ServerResponse) => void {
  return (error, request, response) => {
    const answer = noteError(logger, response, error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    discardBody(request, response, bodyTimeoutMs);
    sendJson(response, { ...answer, body: JSON.stringify(shape(answer)) });
  };
}

/** Adds the error to the request's log line and, if it needs attention, logs a line of its own with the cause. */
export function noteError(logger: Logger, response: ServerResponse, error: unknown): ErrorAnswer {
  const answer = errorBodyOf(error);
  const facts = requestFacts(response);
  facts.errorCode = answer.body.code;
  if (answer.log !== undefined) {
    const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
    logger[answer.log]({ ...requestIds(facts), error: cause }, answer.body.code);
  }
  return answer;
}
