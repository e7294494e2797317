import type { RequestHandler } from 'express';
import { requestFacts } from './request/request-facts.ts';

/** What it does ends with it as work, also where its client has left and nobody is answered. */
export function working(handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await handler(request, response, next);
    } finally {
      requestFacts(response).endWork?.();
    }
  };
}

/** As Express matches: whole segments, in any case. */
export function beginsWith(...paths: string[]): RegExp {
  return new RegExp(`^(?:${paths.map((path) => RegExp.escape(path)).join('|')})(?:[/?]|$)`, 'i');
}

/** Names the procedure for the log and the metrics, and goes on. */
export function named(procedure: string): RequestHandler {
  return (_request, response, next) => {
    requestFacts(response).procedure = procedure;
    next();
  };
}
