import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WireCode } from '@causeway/contracts';
import { requestFacts } from '../http/request-facts.ts';
import { rawRefusal } from './raw-answer.ts';

const REFUSALS: Record<string, { status: number; code: WireCode; detail: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'payload_too_large',
    detail: 'The address and the headers of the request are too long: they may have 16 kilobytes together.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    detail: 'The request did not arrive completely in time.',
  },
};
const NOT_ANSWERED = {
  status: 503,
  code: 'service_unavailable',
  detail: 'The service did not answer in time. The request may have taken effect: repeat it as the guide says.',
} as const;
const ending = new WeakSet<Socket>();
const LINGER_MS = 1_000;
const NOT_HTTP = { status: 400, code: 'request_failed_validation', detail: 'The request is not valid HTTP.' } as const;

/**
 * Input that Node cannot read as a request gets our error body too (behaviour 7.2); Node would answer without one. It
 * never replaces the answer to an earlier request on the connection, which may have taken effect. So does a request
 * whose answer has not begun when its connection has been silent for too long (behaviour 16.7).
 */
export function answerUnreadableRequests(server: Server): void {
  const complete = rememberRequests(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // For data that still arrives on a connection that is ending.
    if (ending.has(socket)) return;
    const last = complete(socket).at(-1);
    if (last !== undefined && socket.writable && error.code !== 'ECONNRESET') {
      endAfter(last, socket);
      return;
    }
    // A second answer would corrupt one that has begun.
    const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent ?? false;
    if (socket.writable && error.code !== 'ECONNRESET' && !begun) {
      endWith(socket, rawRefusal(REFUSALS[error.code ?? ''] ?? NOT_HTTP));
      return;
    }
    socket.destroy();
  });
  server.on('timeout', (socket) => {
    const [first] = complete(socket);
    if (first === undefined || first.headersSent || !socket.writable) {
      socket.destroy();
      return;
    }
    const facts = requestFacts(first);
    facts.errorCode = NOT_ANSWERED.code;
    endWith(socket, rawRefusal(NOT_ANSWERED, ['Retry-After: 5'], facts.requestId));
  });
}

/** The complete requests of a connection that are not answered yet, in their order. */
function rememberRequests(server: Server): (socket: Socket) => ServerResponse[] {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener('request', ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set();
    open.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  return (socket) => [...(open.get(socket) ?? [])].filter(({ req }) => req.complete);
}

/** Waits until the answer, and those before it, have been sent. */
function endAfter(response: ServerResponse, socket: Socket): void {
  ending.add(socket);
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('close', () => endWith(socket, ''));
}

/** Gives a client that is still sending time to read it; a client that never closes must not keep the connection. */
function endWith(socket: Socket, text: string): void {
  ending.add(socket);
  socket.end(text);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
