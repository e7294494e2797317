import { connect, type Socket } from 'node:net';

/** What a load generator needs from an answer. */
export interface LightAnswer {
  /** 0 if the connection broke before the answer was complete. */
  status: number;
  retryAfter: boolean;
  /** Of a refusal. */
  code?: string | undefined;
  /** When the request went out, on the clock of `performance`. */
  sentAt: number;
}

/** A cheap client, because it shares the machine with the measured system. */
export interface LightClient extends Disposable {
  /** One request on a connection of its own for as long as it takes; idle connections are used again. */
  post(...body: readonly (string | Uint8Array)[]): Promise<LightAnswer>;
}

interface Connection {
  socket: Socket;
  received: string;
  sentAt: number;
  answered?: ((answer: LightAnswer) => void) | undefined;
}

/** File descriptors are limited; a call without a connection waits for one, and that time counts. */
const MAX_CONNECTIONS = 1_000;

/** Reads only status, Content-Length, Retry-After and the code of a refusal; chunked answers are not supported. */
export function createLightClient({ url, path, token }: Record<'url' | 'path' | 'token', string>): LightClient {
  const { hostname, port } = new URL(url);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Token ${token}\r\nContent-Type: application/json\r\nContent-Length: `;
  const all = new Set<Socket>();
  let isOver = false;
  /** The longest idle one is used first: the service closes one that has been idle for long. */
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];

  function open(): Connection {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection: Connection = { socket, received: '', sentAt: Number.POSITIVE_INFINITY };
    all.add(socket);
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => take(connection, text));
    socket.once('close', () => {
      all.delete(socket);
      const { answered } = connection;
      connection.answered = undefined;
      answered?.({ status: 0, retryAfter: false, sentAt: connection.sentAt });
      if (waiting.length > 0 && !isOver) waiting.shift()?.(open());
    });
    return connection;
  }

  function take(connection: Connection, text: string): void {
    connection.received += text;
    const { received, answered, socket } = connection;
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const header = received.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(header)?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    connection.received = '';
    connection.answered = undefined;
    if (/connection: close/i.test(header)) socket.destroy();
    else if (waiting.length > 0) waiting.shift()?.(connection);
    else idle.push(connection);
    const status = Number(header.slice(9, 12));
    const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(received)?.[1];
    answered?.({ status, retryAfter: /retry-after: \d/i.test(header), code, sentAt: connection.sentAt });
  }

  async function acquire(): Promise<Connection> {
    for (let connection = idle.shift(); connection !== undefined; connection = idle.shift()) {
      if (!connection.socket.destroyed) return connection;
    }
    if (all.size < MAX_CONNECTIONS) return open();
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }

  return {
    async post(...body) {
      const connection = await acquire();
      const { socket } = connection;
      const length = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      return new Promise((resolve) => {
        connection.answered = resolve;
        const noteTime = () => {
          connection.sentAt = performance.now();
        };
        if (socket.connecting) socket.once('connect', noteTime);
        else noteTime();
        // Corked: the common part of many calls is sent from one buffer without a copy.
        socket.cork();
        socket.write(`${head}${length}\r\n\r\n`);
        for (const part of body) socket.write(part);
        socket.uncork();
      });
    },
    [Symbol.dispose]() {
      isOver = true;
      for (const socket of all) socket.destroy();
    },
  };
}
