import type { IncomingMessage, ServerResponse } from 'node:http';
import { accountKey, actorText } from '@causeway/domain';
import type { Logger } from 'pino';
import { beginRequest, type RequestFacts, requestFacts, requestIds } from '../http/request-facts.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';
import { CLIENT_LEFT } from './work-metrics.ts';

/** Polled every few seconds: logged at `debug` while they succeed. */
const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/** Our own paths are lower-case words; anything else in an unknown path could be a key, a token or personal data. */
const HARMLESS_SEGMENT = /^(?:|v\d|[a-z]{1,16}(?:-[a-z]{1,16}){0,4})$/;

/** Who counts the requests. */
type Counting = Pick<Metrics, 'countRequest'>;
interface RequestObservers {
  logger: Logger;
  metrics: Counting;
  tracing?: Pick<Tracing, 'beginRequest'>;
}

type Observer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * The first step of every request: it gets its id. Every answer has the caller's id, or else ours, as X-Request-Id.
 * When it ends, it adds one line to the log and one observation to the metrics. The line has no query string and no
 * body; the path of a known procedure is logged whole, because operators need the external account number.
 */
export function observeRequests({ logger, metrics, tracing = {} }: RequestObservers): Observer {
  return (request, response, next) => {
    const startedAt = performance.now();
    const facts = beginRequest(request, response);
    // Who serves it may change them for a time.
    const { method, url = '' } = request;
    const [path = ''] = url.split(/[?#]/, 1);
    const span = QUIET_PATHS.has(path) ? undefined : tracing.beginRequest?.(request, facts);
    response.setHeader('X-Request-Id', facts.callerRequestId ?? facts.requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Nearly every answer contains personal data; one that may be cached says so itself.
    response.setHeader('Cache-Control', 'no-store');
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
      const { procedure: operation = 'other', errorCode: code, subject } = facts;
      const seconds = durationMs / 1000;
      metrics.countRequest({ operation, status, code, importSupplier: subject?.importSupplier, seconds });
      logger[levelOf(path, status)](lineOf(response, { method, path, status, durationMs }), 'request');
      span?.end(status, facts);
    });
    if (span === undefined) next();
    else span.within(next);
  };
}

function levelOf(path: string, status: number): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  return QUIET_PATHS.has(path) && status < 400 ? 'debug' : 'info';
}

function lineOf(
  response: ServerResponse,
  {
    method,
    path,
    status,
    durationMs,
  }: { method: string | undefined; path: string; status: number; durationMs: number },
) {
  const facts = requestFacts(response);
  const { procedure, actor, errorCode } = facts;
  return {
    ...requestIds(facts),
    method,
    path: procedure === undefined ? maskPath(path) : path,
    procedure,
    status,
    error_code: errorCode,
    ...subjectOf(facts),
    duration_ms: Math.round(durationMs * 10) / 10,
    actor: actor && actorText(actor),
    api_key_id: actor?.apiKeyId,
    cut_short: response.writableFinished ? undefined : true,
  };
}

/** The account by its id, which tells nothing to anyone who cannot look it up. */
function subjectOf({ subject }: RequestFacts) {
  if (subject === undefined) return undefined;
  const { importSupplier: import_supplier, accountNumber } = subject;
  if (typeof accountNumber !== 'string') return { import_supplier };
  return { import_supplier, account_import_id: accountKey(import_supplier, accountNumber).id };
}

function maskPath(path: string): string {
  const segments = path.split('/');
  return segments.map((segment) => (HARMLESS_SEGMENT.test(segment) ? segment : '*')).join('/');
}
