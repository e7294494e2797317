import { TOKEN_CODES, type TokenCodeName } from '@causeway/contracts';
import type { ExecutionResult } from 'graphql';
import { errorBodyOf } from '../answers/error-bodies.ts';
import { extensionsOf, GraphqlRefusal, refusalError } from './refusals.ts';

/** What an answer needs in addition to the text that graphql-http generates. */
export interface Outcome {
  headers?: Record<string, string>;
  /** Replaces that text. */
  body?: Buffer | string;
  /** Whether it is delayed. */
  isDelayed?: boolean;
  /** Whether obtainToken was called; with a credential, unless it was refused for lacking one. */
  isAttempt?: boolean;
  /** Whether it was counted as a document without a credential. */
  isCounted?: boolean;
  /** Why nothing was obtained. */
  refused?: TokenCodeName;
}

/**
 * The result with its errors as clients see them; notes the answer's status and headers. An error that is neither the
 * request's fault nor a `GraphqlRefusal` goes to `reportInternal`, and its cause stays there.
 */
export function withRefusals(
  result: ExecutionResult,
  outcome: Outcome,
  reportInternal: (error: unknown) => void,
): ExecutionResult {
  const { errors = [], ...rest } = result;
  const [first] = errors;
  if (first === undefined) {
    return result;
  }
  if (result.data === undefined) {
    // The variables do not match the document.
    outcome.refused = 'malformed';
    return { errors: errors.map((error) => refusalError('malformed', error)) };
  }
  const refusal = asRefusal(first.originalError ?? first, reportInternal);
  outcome.refused = refusal.refusalName;
  outcome.isDelayed = refusal.isDelayed;
  outcome.headers = refusal.retryAfterS === undefined ? {} : { 'Retry-After': String(refusal.retryAfterS) };
  const extensions = extensionsOf(refusal.refusalName);
  const error = { message: extensions.errorDescription, locations: first.locations, path: first.path, extensions };
  outcome.body = JSON.stringify({ ...rest, errors: [error] });
  return rest;
}

const RETRY_AFTER_UNAVAILABLE_S = 5;

export function unavailable(): GraphqlRefusal {
  return new GraphqlRefusal('unavailable', RETRY_AFTER_UNAVAILABLE_S);
}

/** An unreachable database is a temporary failure, as over REST; anything else is our own fault. */
export function asRefusal(error: unknown, reportInternal: (error: unknown) => void): GraphqlRefusal {
  if (error instanceof GraphqlRefusal) {
    return error;
  }
  reportInternal(error);
  return errorBodyOf(error).status === TOKEN_CODES.unavailable.status ? unavailable() : new GraphqlRefusal('internal');
}
