import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { cutConnection, waitsToContinue } from '../http/request-head.ts';
import { areTiny, bringsTiny } from './pieces.ts';

/** What is thrown away of one body at most: more than any client sends before it looks for an answer. */
const MAX_BYTES = 67_108_864;
/** Less than a packet of the network has. */
const MIN_PIECE_BYTES = 256;

/** Only parts of bulk jobs and of manifests are sent with PUT. */
const PART = /^\/v1\/data-import\/(?:bulk-jobs|manifests)\/[^/?]+\/parts\/[^/?]+\/?(?:\?|$)/;

const discarded = new WeakSet<IncomingMessage>();

/**
 * For answering before the request's body has arrived, which many clients only notice when they have sent it: throws
 * away what still comes, within bounds, then cuts the connection. The answer says `keep-alive` to everybody, since
 * after a `close` Node resets the connection while the client is sending, and the answer is lost.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse, bodyTimeoutMs: number): void {
  if (request.complete || request.destroyed || response.hasHeader('Connection') || !hasBody(request)) return;
  // One that waits may never send the body: what comes next could be either that or another request.
  response.setHeader('Connection', waitsToContinue(request) ? 'close' : 'keep-alive');
  throwAway(request, bodyTimeoutMs);
}

/** For a request of a method that has no body, or to a page (no call): where one comes anyway, nobody ever reads it. */
export function discardUnexpectedBody(request: IncomingMessage, isCall: boolean, bodyTimeoutMs: number): void {
  if ((isCall && takesBody(request)) || request.complete || !hasBody(request)) return;
  throwAway(request, bodyTimeoutMs);
}

/** Node would do so by itself with the answer, but without end: a single connection could keep the event loop busy. */
function throwAway(request: IncomingMessage, bodyTimeoutMs: number): void {
  if (discarded.has(request)) return;
  discarded.add(request);
  const come = { count: 0, bytes: 0 };
  request.on('data', (piece: Buffer) => {
    come.count += 1;
    come.bytes += piece.length;
    const isTiny = bringsTiny(request.socket, piece, MIN_PIECE_BYTES) || areTiny(come, MIN_PIECE_BYTES);
    if (isTiny || come.bytes > MAX_BYTES) cutConnection(request);
  });
  // Before the answer ends: of a request that nobody has read, Node would not tell what comes.
  request.read(0);
  const timer = setTimeout(() => cutConnection(request), bodyTimeoutMs);
  request.once('close', () => clearTimeout(timer));
}

function takesBody({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' || (method === 'PUT' && PART.test(url));
}

function hasBody({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
