import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WireCode } from '@causeway/contracts';
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
const ending = new WeakSet<Socket>();
const LINGER_MS = 1_000;
const NOT_HTTP = { status: 400, code: 'request_failed_validation', detail: 'The request is not valid HTTP.' } as const;

/**
 * What Node cannot read as a request gets the one error body (behaviour 7.2) too, where Node would answer without any.
 * It never stands for a request before it on the connection, which may be done: that one gets its own answer.
 */
export function answerUnreadableRequests(server: Server): void {
  const complete = rememberRequests(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Of what still comes on a connection that ends anyway.
    if (ending.has(socket)) return;
    const last = complete(socket).at(-1);
    if (last !== undefined && socket.writable && error.code !== 'ECONNRESET') {
      endAfter(last, socket);
      return;
    }
    // An answer that has begun would be corrupted by another one.
    const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent ?? false;
    if (socket.writable && error.code !== 'ECONNRESET' && !begun) {
      endWith(socket, rawRefusal(REFUSALS[error.code ?? ''] ?? NOT_HTTP));
      return;
    }
    socket.destroy();
  });
}

/** Tells which requests of a connection have come completely and are not answered, in their order. */
function rememberRequests(server: Server): (socket: Socket) => ServerResponse[] {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener('request', ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set();
    open.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  return (socket) => [...(open.get(socket) ?? [])].filter(({ req }) => req.complete);
}

/** Lets the answer go out, and those before it. */
function endAfter(response: ServerResponse, socket: Socket): void {
  ending.add(socket);
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('close', () => endWith(socket, ''));
}

/** Gives time to read it to a client that is still sending; one that never leaves must not keep the connection. */
function endWith(socket: Socket, text: string): void {
  ending.add(socket);
  socket.end(text);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
