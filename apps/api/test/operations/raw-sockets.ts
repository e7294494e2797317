import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which a test writes and reads what no client library would. */
export interface RawSocket {
  write(text: string): void;
  /** Waits until so much has come that it matches. */
  read(expected: RegExp): Promise<string>;
  /** Waits until the other side has closed it; all that came. */
  closed(): Promise<string>;
  /** Reads from now on, if it did not. */
  resume(): void;
  destroy(): void;
}

/**
 * One that `staysHalfOpen` keeps sending when the other side has ended, until that is gone for good; one that does not
 * `reads` leaves everything that comes where it is. `from` is a loopback address of its own.
 */
export async function openSocket(
  url: string,
  { staysHalfOpen = false, reads = true, from }: { staysHalfOpen?: boolean; reads?: boolean; from?: string } = {},
): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const own = from === undefined ? {} : { localAddress: from };
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: staysHalfOpen, ...own });
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('end', () => {
    const sending = setInterval(() => staysHalfOpen && socket.write('x'), 10);
    socket.once('close', () => clearInterval(sending));
  });
  if (!reads) socket.pause();
  await once(socket, 'connect');
  return {
    write: (text) => socket.write(text),
    async read(expected) {
      while (!expected.test(received)) await next(socket, received);
      return received;
    },
    async closed() {
      await closed;
      return received;
    },
    resume: () => socket.resume(),
    destroy: () => socket.destroy(),
  };
}

async function next(socket: Socket, received: string): Promise<void> {
  if (socket.closed) throw new Error(`The connection ended after ${JSON.stringify(received)}`);
  await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
}

/** The head of a request, ready to be written; the host does not matter. */
export function requestHead(line: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'service', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}
