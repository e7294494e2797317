import http from 'node:http';
import { drawPieces, type Random, writePieces } from '@causeway/testing';

/** A whole answer of the service. */
export interface Answer {
  status: number;
  /** Parsed JSON; undefined for an empty body. */
  body: unknown;
  headers: Headers;
}

export interface Request {
  method?: string;
  /** From the root: `/v1/data-import/notes/create/`. */
  path: string;
  token?: string;
  /** Sent as JSON; text and bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Draws how the body is sent: in how many pieces and with which pauses, with a Content-Length or chunked. */
  travel?: Random;
}

/** File descriptors are limited. The connection idle for longest is used first: the service closes one that is idle for long. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000, scheduling: 'fifo' });

/** Sends a request once. Undefined without a complete answer: whether it took effect is then unknown. */
export function send(url: string, { path, body, token, travel, ...request }: Request): Promise<Answer | undefined> {
  const { method = body === undefined ? 'GET' : 'POST' } = request;
  const { hostname, port } = new URL(url);
  const bytes = body === undefined ? undefined : bytesOf(body);
  const isChunked = travel?.chance(0.3) ?? false;
  const headers: Record<string, string> = {
    ...(token !== undefined && { Authorization: `Token ${token}` }),
    ...(bytes !== undefined && { 'Content-Type': 'application/json' }),
    ...request.headers,
    ...(bytes !== undefined &&
      (isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes.length) })),
  };
  return new Promise((resolve) => {
    const sent = http.request({ agent, hostname, port, method, path, headers });
    sent.once('error', () => resolve(undefined));
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => resolve(undefined));
      response.once('end', () => {
        const entries = Object.entries(response.headersDistinct).map(([name, values]): [string, string] => [
          name,
          values?.join(', ') ?? '',
        ]);
        const received = parse(Buffer.concat(chunks).toString('utf8'));
        resolve({ status: response.statusCode ?? 0, headers: new Headers(entries), body: received });
      });
    });
    if (bytes === undefined || travel === undefined) {
      sent.end(bytes);
      return;
    }
    sent.flushHeaders();
    void writePieces(sent, drawPieces(travel, bytes)).then(() => sent.end());
  });
}

/** Sends a request that prepares something, and throws if it is not answered as expected; the body of its answer. */
export async function mustSend(url: string, request: Request, expected = 201): Promise<unknown> {
  const answer = await send(url, request);
  if (answer?.status === expected) return answer.body;
  throw new Error(`${request.path} was answered ${nameOf(answer)}: ${JSON.stringify(answer?.body)}`);
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body));
}

/** A field of a body of unknown shape. */
export function fieldOf(body: unknown, name: string): unknown {
  return (Object(body) as Record<string, unknown>)[name];
}

/** `201`, `400 account_not_found`, `no answer`: what a figure or a failure shows of an answer. */
export function nameOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'no answer';
  const code = fieldOf(answer.body, 'code');
  return typeof code === 'string' ? `${answer.status} ${code}` : String(answer.status);
}

/** Text that is not JSON stays a string: a caller that expects JSON finds no field in it. */
function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
