import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '@causeway/domain';
import { callerRequestIdOf } from './request-id.ts';

/** Who shares an instance: an organisation, the service team, or the address of a caller who is not known yet. */
export type Party = string;

/** What is known of a request while it runs: who asks, in whose share, and what it is called. Each part of its way adds. */
export interface RequestFacts {
  /** Our own: no two requests have the same. */
  requestId: string;
  /** What the caller calls it, and is answered under. */
  callerRequestId?: string | undefined;
  /** From our own list of names: it becomes a label of the metrics. */
  procedure?: string;
  /** Known once its token has been checked. */
  actor?: Actor;
  /** Whose share of the instance it takes. */
  party?: Party;
  errorCode?: string | undefined;
  /** Says that the request is no work any more, though its answer is not all out. */
  endWork?: () => void;
  /** Whether its work has not begun: it waits for its turn. */
  isWaiting?: () => boolean;
}

/** Express, which comes later, keeps what it finds there. */
type KnownResponse = ServerResponse & { locals: RequestFacts };

/** The first thing that happens to a request: it gets its id. */
export function beginRequest({ headers }: IncomingMessage, response: ServerResponse): RequestFacts {
  const facts = { requestId: randomUUID(), callerRequestId: callerRequestIdOf(headers['x-request-id']) };
  (response as KnownResponse).locals = facts;
  return facts;
}

/** The facts of the request that this response answers. */
export function requestFacts(response: ServerResponse): RequestFacts {
  return (response as KnownResponse).locals;
}

/** How every line of the log names its request. */
export function requestIds({ requestId, callerRequestId }: RequestFacts) {
  return { request_id: requestId, caller_request_id: callerRequestId };
}
