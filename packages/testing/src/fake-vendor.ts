import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the fake vendor handles a request. A `body` that is not a string is sent as JSON; a function computes it. */
export type VendorBehaviour =
  /** A whole answer, after `delayMs` if given. */
  | { kind: 'answer'; status?: number; headers?: Record<string, string>; body?: unknown; delayMs?: number }
  /** Accepts the request and never answers. */
  | { kind: 'silence' }
  /** Answers once the test says so: 204, or another status. */
  | { kind: 'hold'; until: Promise<void>; status?: number }
  /** Sends headers and half of the body, then nothing. */
  | { kind: 'stall'; body: unknown }
  /** Sends headers and half of the body, then breaks the connection. */
  | { kind: 'cut'; body: unknown }
  /** Resets the connection before any byte of an answer. */
  | { kind: 'reset' }
  /** The same on a connection that was used before; on a new one it answers. */
  | { kind: 'stale'; body: unknown }
  /** Sends one byte of white space every `intervalMs`, forever. */
  | { kind: 'trickle'; intervalMs: number }
  /** Sends an endless JSON string, as fast as it is read. */
  | { kind: 'flood' };

interface RecordedRequest {
  method: string;
  /** As received, still encoded. */
  url: string;
  headers: IncomingMessage['headers'];
  /** The last segment of the path, decoded. */
  reference: string;
}

export interface FakeVendor {
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Sets the behaviour for every reference without its own. Default: 404. */
  behave(behaviour: VendorBehaviour): void;
  behaveFor(reference: string, behaviour: VendorBehaviour): void;
  requestCount(reference?: string): number;
  /** Stops immediately, even with open connections. */
  close(): Promise<void>;
}

/**
 * A payment vendor's server, over real HTTP on a free port of 127.0.0.1, that behaves as configured, however hostile.
 * It implements no vendor's protocol: the references are the last segments of the requested paths.
 */
export async function startFakeVendor(): Promise<FakeVendor> {
  const requests: RecordedRequest[] = [];
  const behaviours = new Map<string, VendorBehaviour>();
  let general: VendorBehaviour = { kind: 'answer', status: 404, body: {} };

  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const reference = referenceOf(url);
    requests.push({ method, url, headers, reference });
    perform(behaviours.get(reference) ?? general, reference, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (behaviour) => {
      general = behaviour;
    },
    behaveFor: (reference, behaviour) => {
      behaviours.set(reference, behaviour);
    },
    requestCount: (reference) =>
      requests.filter((request) => reference === undefined || request.reference === reference).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function referenceOf(url: string): string {
  const segment = url.split('?')[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Answers as a behaviour says. */
export function perform(behaviour: VendorBehaviour, reference: string, response: ServerResponse): void {
  if (behaviour.kind === 'answer') answer(behaviour, reference, response);
  else if (behaviour.kind === 'hold')
    void behaviour.until.then(() => response.writeHead(behaviour.status ?? 204).end());
  else if (behaviour.kind === 'stall') sendHalf(behaviour.body, response);
  else if (behaviour.kind === 'cut') sendHalf(behaviour.body, response, () => response.destroy());
  else if (behaviour.kind === 'reset') response.socket?.resetAndDestroy();
  else if (behaviour.kind === 'stale') answerFirst(behaviour.body, reference, response);
  else if (behaviour.kind === 'trickle') trickle(behaviour.intervalMs, response);
  else if (behaviour.kind === 'flood') flood(response);
}

function answer(
  behaviour: Extract<VendorBehaviour, { kind: 'answer' }>,
  reference: string,
  response: ServerResponse,
): void {
  const { status = 200, headers, body: given = {}, delayMs } = behaviour;
  const body = typeof given === 'function' ? given(reference) : given;
  const send = () => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytesOf(body));
  if (delayMs === undefined) send();
  else whileOpen(response, setTimeout(send, delayMs));
}

function answerFirst(body: unknown, reference: string, response: ServerResponse): void {
  if (response.socket?.bytesWritten === 0) answer({ kind: 'answer', body }, reference, response);
  else response.socket?.resetAndDestroy();
}

function sendHalf(body: unknown, response: ServerResponse, then?: () => void): void {
  const bytes = bytesOf(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), then);
}

function trickle(intervalMs: number, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  whileOpen(
    response,
    setInterval(() => response.write(' '), intervalMs),
  );
}

function flood(response: ServerResponse): void {
  const chunk = 'x'.repeat(16_384);
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"reference":"');
  response.on('drain', pour);
  pour();
}

function whileOpen(response: ServerResponse, timer: NodeJS.Timeout): void {
  response.once('close', () => clearTimeout(timer));
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
