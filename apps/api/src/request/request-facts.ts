import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '@causeway/domain';
import { callerRequestIdOf } from './request-id.ts';

/**
 * Who shares an instance: an organisation, the service team, or the address of a caller that is not authenticated yet.
 */
export type Party = string;

/** The facts about a request in flight: its caller, its party and its name. Each step adds some. */
export interface RequestFacts {
  /** Our own: no two requests have the same. */
  requestId: string;
  /** The caller's id, returned in the answer. */
  callerRequestId?: string | undefined;
  /** From our own list of names: it becomes a label of the metrics. */
  procedure?: string;
  /** Known once its token has been checked. */
  actor?: Actor;
  /** The party whose share of the instance it uses. */
  party?: Party;
  errorCode?: string | undefined;
  /** Ends the request's work before its answer is completely sent. */
  endWork?: () => void;
  /** Counts how long its body has kept the event loop. */
  countLoopTime?: (milliseconds: number) => void;
  /** Whether its work has not started: it waits for its turn. */
  isWaiting?: () => boolean;
}

/** Express, which runs later, keeps this property. */
type KnownResponse = ServerResponse & { locals: RequestFacts };

/** The first step of a request: it gets its id. */
export function beginRequest({ headers }: IncomingMessage, response: ServerResponse): RequestFacts {
  const facts = { requestId: randomUUID(), callerRequestId: callerRequestIdOf(headers['x-request-id']) };
  (response as KnownResponse).locals = facts;
  return facts;
}

/** The facts of the request that this response answers. */
export function requestFacts(response: ServerResponse): RequestFacts {
  return (response as KnownResponse).locals;
}

/** How every log line identifies its request. */
export function requestIds({ requestId, callerRequestId }: RequestFacts) {
  return { request_id: requestId, caller_request_id: callerRequestId };
}
