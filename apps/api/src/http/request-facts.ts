import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '@causeway/domain';
import { Party, type Work } from '../overload/party.ts';

/** An import supplier and, as it was sent, the number of an account of it. */
export interface RequestSubject {
  importSupplier: string;
  accountNumber: unknown;
}

/** The facts about a request in flight: its caller, its party and its name. Each step adds some. */
export interface RequestFacts {
  /** Our own: no two requests have the same. */
  requestId: string;
  /** The caller's id, returned in the answer. */
  callerRequestId?: string | undefined;
  /** The trace that it belongs to: the caller's, or our own if we trace it. */
  traceId?: string | undefined;
  /** From our own list of names: it becomes a label of the metrics. */
  procedure?: string;
  /** Known once its token has been checked. */
  actor?: Actor;
  /** The party whose share of the instance it uses. */
  party: Party;
  errorCode?: string | undefined;
  /** What it is about, once the import supplier is known to exist and to be the caller's; of no batch. */
  subject?: RequestSubject;
  /** Its work, once all of it has arrived. */
  work?: Work;
  /** If its body is very large: waits for the turn of the next step of the work on it. */
  nextStep?: () => Promise<void>;
}

/** Express, which runs later, keeps this property. */
type KnownResponse = ServerResponse & { locals: RequestFacts };

/** Until the head of a request has been read. */
const NOBODY = new Party('nobody');

/** The first step of a request: it gets its id. */
export function beginRequest({ headers }: IncomingMessage, response: ServerResponse): RequestFacts {
  const facts: RequestFacts = {
    party: NOBODY,
    requestId: randomUUIDv7(),
    callerRequestId: callerRequestIdOf(headers['x-request-id']),
    traceId: readTraceParent(headers.traceparent)?.traceId,
  };
  (response as KnownResponse).locals = facts;
  return facts;
}

/** The facts of the request that this response answers. */
export function requestFacts(response: ServerResponse): RequestFacts {
  return (response as KnownResponse).locals;
}

/** How every log line identifies its request. */
export function requestIds({ requestId, callerRequestId, traceId }: RequestFacts) {
  return { request_id: requestId, caller_request_id: callerRequestId, trace_id: traceId };
}

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that a caller gives its request as X-Request-Id, if that is 1 to 128 of `A-Z a-z 0-9 . _ -`. */
export function callerRequestIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SANE_REQUEST_ID.test(header) ? header : undefined;
}

/** What a caller says of the trace that its request belongs to (W3C Trace Context). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Later versions may add fields behind these; `ff` is none. */
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The `traceparent` header; undefined without one; a malformed one is ignored. */
export function readTraceParent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string') return undefined;
  const [whole, version, traceId = '', spanId = '', flags = '', more] = TRACE_PARENT.exec(header) ?? [];
  if (whole === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
