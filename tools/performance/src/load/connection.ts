import { connect, type Socket } from 'node:net';
import { drawPieces, type Random, writePieces } from '@causeway/testing';

/** The parts of an answer that are checked. */
export interface Answer {
  status: number;
  body: string;
}

/** One keep-alive HTTP/1.1 connection, one request at a time. */
export interface Connection {
  post(path: string, body: string): Promise<Answer>;
  get(path: string): Promise<Answer>;
  close(): void;
}

interface Pending {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const END_OF_HEADERS = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * The share of requests with a body that are cut into pieces: often enough to cover every code path, too rarely to
 * change a figure.
 */
const SHARE_IN_PIECES = 1 / 64;
const PIECES = { mostPieces: 8, longestPauseMs: 1 };

/**
 * Hand-written because the generator shares the cores with the measured system: a request through node:http costs four
 * times as much. Supports only answers with a Content-Length, which all measured calls send. `travel` draws which
 * bodies are sent in pieces, and how: the same for every system.
 */
export function openConnection(url: string, token: string, travel: Random): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const headers = `Host: ${hostname}:${port}\r\nAuthorization: Token ${token}\r\n`;
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let pending: Pending | undefined;
  let received: Buffer = Buffer.alloc(0);

  const fail = (error: Error) => {
    socket.destroy();
    pending?.reject(error);
    pending = undefined;
  };
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const read = readAnswer(received);
    if (read === undefined) return;
    if (read instanceof Error || pending === undefined || read.length !== received.length) {
      fail(read instanceof Error ? read : new Error('More was answered than asked for'));
      return;
    }
    const { resolve } = pending;
    pending = undefined;
    received = Buffer.alloc(0);
    resolve(read.answer);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The connection was closed before the answer was complete')));

  const send = (request: string, body = '') =>
    new Promise<Answer>((resolve, reject) => {
      pending = { resolve, reject };
      if (body === '' || !travel.chance(SHARE_IN_PIECES)) {
        socket.write(request + body);
        return;
      }
      socket.write(request);
      void writePieces(socket, drawPieces(travel, Buffer.from(body), PIECES));
    });
  const connection: Connection = {
    post(path, body) {
      const length = Buffer.byteLength(body);
      const type = `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
      return send(`POST ${path} HTTP/1.1\r\n${headers}${type}`, body);
    },
    get: (path) => send(`GET ${path} HTTP/1.1\r\n${headers}\r\n`),
    close: () => socket.destroy(),
  };
  return connected(socket).then(() => connection);
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
}

/** The answer at the beginning of the received bytes, or undefined if it is incomplete. */
function readAnswer(received: Buffer): { answer: Answer; length: number } | Error | undefined {
  const end = received.indexOf(END_OF_HEADERS);
  if (end === -1) return undefined;
  const head = received.toString('latin1', 0, end);
  const contentLength = CONTENT_LENGTH.exec(head)?.[1];
  if (contentLength === undefined) return new Error(`An answer without a length: ${head.split('\r\n', 1)[0]}`);
  const start = end + END_OF_HEADERS.length;
  const length = start + Number(contentLength);
  if (received.length < length) return undefined;
  return { answer: { status: Number(head.slice(9, 12)), body: received.toString('utf8', start, length) }, length };
}
