import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '@causeway/domain';
import type { Logger } from 'pino';
import type { Party } from '../overload/fair-share.ts';
import { callerRequestIdOf } from '../request/request-id.ts';
import { createLineWriter } from './logging.ts';
import type { Metrics } from './metrics.ts';

/** What is known of a request while it runs; each part of the way adds its own. */
export interface RequestFacts {
  /** Our own: no two requests have the same. */
  requestId: string;
  /** What the caller calls it, and is answered under. */
  callerRequestId?: string | undefined;
  /** From our own list of names: it becomes a label of the metrics. */
  procedure?: string;
  actor?: Actor;
  /** Whose share of the instance it takes. */
  party?: Party;
  errorCode?: string | undefined;
  /** Says that the request is no work any more, though its answer is not all out. */
  endWork?: () => void;
  /** Whether its work has not begun: it waits for its turn. */
  isWaiting?: () => boolean;
}

/** Statuses end with what the client was told; nginx's 499 stands for a client that left before being told anything. */
const CLIENT_LEFT = 499;

/** Asked every few seconds by machines: logged at `debug` as long as they succeed. */
const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/** Our own paths are lower-case words; what else stands in an unknown path could be a key, a token or a person. */
const HARMLESS_SEGMENT = /^(?:|v\d|[a-z]{1,16}(?:-[a-z]{1,16}){0,4})$/;

/** The facts of the request that this response answers. */
export function requestFacts(response: ServerResponse): RequestFacts {
  return (response as ObservedResponse).locals;
}

/** How every line of the log names its request. */
export function requestIds({ requestId, callerRequestId }: RequestFacts) {
  return { request_id: requestId, caller_request_id: callerRequestId };
}

/** Express, which comes later, keeps what it finds there. */
type ObservedResponse = ServerResponse & { locals: RequestFacts };

type Observer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * The first thing every request meets: it gets its id; every answer shows, as X-Request-Id, the caller's or else ours; when
 * it is over, one line in the log and one observation in the metrics. The line holds no query string and no body; the
 * path of a known procedure is shown whole, since operators need the external account number.
 */
export function observeRequests({ logger, metrics }: { logger: Logger; metrics: Metrics }): Observer {
  const writeLine = createLineWriter(logger, 'request');
  return (request, response, next) => {
    const startedAt = performance.now();
    const facts: RequestFacts = {
      requestId: randomUUID(),
      callerRequestId: callerRequestIdOf(request.headers['x-request-id']),
    };
    (response as ObservedResponse).locals = facts;
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
      writeLine(levelOf(path, status), lineOf(request, response, { path, status, durationMs }));
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
    actor: actor?.kind,
    api_key_id: actor?.apiKeyId,
    cut_short: response.writableFinished ? undefined : true,
  };
}

function maskPath(path: string): string {
  const segments = path.split('/');
  return segments.map((segment) => (HARMLESS_SEGMENT.test(segment) ? segment : '*')).join('/');
}
