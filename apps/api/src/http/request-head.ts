import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WireRefusal } from './wire-refusal.ts';

/** Of two headers Node keeps the first, and a proxy might keep the last: which one counts must be unambiguous. */
const ONCE = new Set(['host', 'authorization', 'content-type']);
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** More than clients send: a few connections full of requests would keep the event loop. */
const MOST_WAITING = 8;
/** How many requests of a connection wait until the one before them is answered. */
const waiting = new WeakMap<Socket, number>();

/** Whether a request waits behind so many others of its connection that this is to be cut: Node has no such limit. */
export function waitsBehindTooMany({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (response.socket !== null) return false;
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  response.once('socket', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  return count > MOST_WAITING;
}

/** Tells Node's parser to leave alone what comes behind a request, as if the connection changed its protocol. */
const READ_NO_FURTHER = 2;

/**
 * Cuts the connection of a request. Node would still read all of what came in the same piece, up to 64 kB: thousands of
 * requests or tiny chunks, for each of which it does as much as for the first one. Its parser is no public part of it.
 */
export function cutConnection({ socket }: IncomingMessage): void {
  const { parser } = socket as { parser?: { [callback: number]: unknown; constructor: { kOnBody?: number } } | null };
  socket.destroy();
  const name = parser?.constructor.kOnBody ?? -1;
  const onBody = parser?.[name];
  if (!parser || !onBody) return;
  Object.assign(parser, { onIncoming: () => READ_NO_FURTHER, [name]: undefined });
  // Another connection will have this parser: by then the piece has been read.
  setImmediate(() => Object.assign(parser, { [name]: onBody }));
}

const expectations = new WeakMap<IncomingMessage, 'to be continued' | 'unknown'>();

/**
 * Normalises a request's target to its path (`GET http://host/path` is allowed by HTTP), and returns the refusal of a
 * head that is ambiguous or that HTTP forbids: `request_failed_validation`.
 */
export function readHead(request: IncomingMessage): WireRefusal | undefined {
  const { url = '', rawHeaders } = request;
  if (!url.startsWith('/')) request.url = pathOf(url);
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.includes(name)) return badHead(`The request has more than one ${name} header.`);
    seen.push(name);
  }
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    return badHead('The request has no host header.');
  }
  if (expectations.get(request) === 'unknown') {
    return badHead('The Expect header may hold 100-continue and nothing else.');
  }
  return undefined;
}

function pathOf(url: string): string {
  const path = url.replace(ABSOLUTE_FORM, '');
  return path.startsWith('?') ? `/${path}` : path || '/';
}

function badHead(detail: string): WireRefusal {
  return new WireRefusal('request_failed_validation', detail);
}

/** Node would answer `Expect: 100-continue` before the head is checked, and end requests with other expectations. */
export function answerExpectations(server: Server): void {
  const expecting =
    (expectation: 'to be continued' | 'unknown'): RequestListener =>
    (request, response) => {
      expectations.set(request, expectation);
      // As Node does, so that listeners get this request too.
      server.emit('request', request, response);
    };
  server.on('checkContinue', expecting('to be continued'));
  server.on('checkExpectation', expecting('unknown'));
}

/** Whether the client still waits for "100 Continue"; a refusal then ends the connection. */
export function waitsToContinue(request: IncomingMessage): boolean {
  return expectations.get(request) === 'to be continued';
}

/** Sends "100 Continue" to a client that waits for it. */
export function continueBody(request: IncomingMessage, response: ServerResponse): void {
  if (!waitsToContinue(request)) return;
  expectations.delete(request);
  response.writeContinue();
}
