import type { IncomingMessage, ServerResponse } from 'node:http';
import { actorText } from '@causeway/domain';
import type { Logger } from 'pino';
import { beginRequest, requestFacts, requestIds } from '../request/request-facts.ts';
import type { Metrics } from './metrics.ts';

/** nginx's status for a client that disconnected before it got an answer. */
const CLIENT_LEFT = 499;

/** Polled every few seconds: logged at `debug` while they succeed. */
const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/** Our own paths are lower-case words; anything else in an unknown path could be a key, a token or personal data. */
const HARMLESS_SEGMENT = /^(?:|v\d|[a-z]{1,16}(?:-[a-z]{1,16}){0,4})$/;

type Observer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * The first step of every request: it gets its id. Every answer has the caller's id, or else ours, as X-Request-Id.
 * When it ends, it adds one line to the log and one observation to the metrics. The line has no query string and no
 * body; the path of a known procedure is logged whole, because operators need the external account number.
 */
export function observeRequests({ logger, metrics }: { logger: Logger; metrics: Metrics }): Observer {
  return (request, response, next) => {
    const startedAt = performance.now();
    const facts = beginRequest(request, response);
    // Express will cut it to the part below a mount.
    const [path = ''] = (request.url ?? '').split('?', 1);
    response.setHeader('X-Request-Id', facts.callerRequestId ?? facts.requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Nearly every answer contains personal data; one that may be cached says so itself.
    response.setHeader('Cache-Control', 'no-store');
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
      metrics.observe(facts.procedure ?? 'other', status, durationMs / 1000);
      logger[levelOf(path, status)](lineOf(request, response, { path, status, durationMs }), 'request');
    });
    next();
  };
}

function levelOf(path: string, status: number): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  return QUIET_PATHS.has(path) && status < 400 ? 'debug' : 'info';
}

function lineOf(
  request: IncomingMessage,
  response: ServerResponse,
  { path, status, durationMs }: { path: string; status: number; durationMs: number },
) {
  const facts = requestFacts(response);
  const { procedure, actor, errorCode } = facts;
  return {
    ...requestIds(facts),
    method: request.method,
    path: procedure === undefined ? maskPath(path) : path,
    procedure,
    status,
    error_code: errorCode,
    duration_ms: Math.round(durationMs * 10) / 10,
    actor: actor && actorText(actor),
    api_key_id: actor?.apiKeyId,
    cut_short: response.writableFinished ? undefined : true,
  };
}

function maskPath(path: string): string {
  const segments = path.split('/');
  return segments.map((segment) => (HARMLESS_SEGMENT.test(segment) ? segment : '*')).join('/');
}
