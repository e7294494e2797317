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
const LINGER_MS = 1_000;
const NOT_HTTP = { status: 400, code: 'request_failed_validation', detail: 'The request is not valid HTTP.' } as const;

/** What Node cannot read as a request gets the one error body (design 4.3) too, where Node would answer without any. */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // An answer that has begun would be corrupted by another one.
    const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent ?? false;
    if (socket.writable && error.code !== 'ECONNRESET' && !begun) {
      socket.end(rawRefusal(REFUSALS[error.code ?? ''] ?? NOT_HTTP));
      // Time to read it, for a client that is still sending; one that never leaves must not keep the connection.
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
      return;
    }
    socket.destroy();
  });
}
