import type { RequestHandler } from 'express';
import { requestFacts } from './request/request-facts.ts';

/** When it ends, its work ends, even if the client has disconnected. */
export function working(handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await handler(request, response, next);
    } finally {
      requestFacts(response).endWork?.();
    }
  };
}

/** Matches like Express: whole segments, case-insensitive. */
export function beginsWith(...paths: string[]): RegExp {
  return new RegExp(`^(?:${paths.map((path) => RegExp.escape(path)).join('|')})(?:[/?]|$)`, 'i');
}

/** Names the procedure for the log and the metrics, and continues. */
export function named(procedure: string): RequestHandler {
  return (_request, response, next) => {
    requestFacts(response).procedure = procedure;
    next();
  };
}
