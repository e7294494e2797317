import type { IncomingMessage, ServerResponse } from 'node:http';
import { actorText } from '@causeway/domain';
import type { Logger } from 'pino';
import { beginRequest, requestFacts, requestIds } from '../request/request-facts.ts';
import type { Metrics } from './metrics.ts';

/** Statuses end with what the client was told; nginx's 499 stands for a client that left before being told anything. */
const CLIENT_LEFT = 499;

/** Asked every few seconds by machines: logged at `debug` as long as they succeed. */
const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/** Our own paths are lower-case words; what else stands in an unknown path could be a key, a token or a person. */
const HARMLESS_SEGMENT = /^(?:|v\d|[a-z]{1,16}(?:-[a-z]{1,16}){0,4})$/;

type Observer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * The first thing every request meets: it gets its id; every answer shows, as X-Request-Id, the caller's or else ours; when
 * it is over, one line in the log and one observation in the metrics. The line holds no query string and no body; the
 * path of a known procedure is shown whole, since operators need the external account number.
 */
export function observeRequests({ logger, metrics }: { logger: Logger; metrics: Metrics }): Observer {
  return (request, response, next) => {
    const startedAt = performance.now();
    const facts = beginRequest(request, response);
    // Express is going to cut it to what is below a mount.
    const [path = ''] = (request.url ?? '').split('?', 1);
    response.setHeader('X-Request-Id', facts.callerRequestId ?? facts.requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Nearly every answer holds personal data; what may be kept says so itself.
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
