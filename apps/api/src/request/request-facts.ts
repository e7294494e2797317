import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '@causeway/domain';
import { callerRequestIdOf } from './request-id.ts';
import { readTraceParent } from './trace-parent.ts';

/**
 * Who shares an instance: an organisation, the service team, or the address of a caller that is not authenticated yet.
 */
export type Party = string;

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
  party?: Party;
  errorCode?: string | undefined;
  /** What it is about, once the import supplier is known to exist and to be the caller's; of no batch. */
  subject?: RequestSubject;
  /** Ends the request's work before its answer is completely sent. */
  endWork?: () => void;
  /** If its body is very large: waits for the turn of the next step of the work on it. */
  nextStep?: () => Promise<void>;
  /** Counts how long its body has kept the event loop. */
  countLoopTime?: (milliseconds: number) => void;
  /** Whether no other party has sent anything in the last seconds. */
  isAlone?: () => boolean;
  /** Whether its work has not started: it waits for its turn. */
  isWaiting?: () => boolean;
}

/** Express, which runs later, keeps this property. */
type KnownResponse = ServerResponse & { locals: RequestFacts };

/** The first step of a request: it gets its id. */
export function beginRequest({ headers }: IncomingMessage, response: ServerResponse): RequestFacts {
  const facts = {
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
