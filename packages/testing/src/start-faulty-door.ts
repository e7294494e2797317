import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** In place of an answer: the connection is cut, before the service has the request or after it. */
export type Fault = { status: number; body?: object | string; retryAfterS?: number } | 'cut' | 'cut after';

/** What may happen to the n-th request, counted from 1; undefined lets it through. */
export type Decide = (request: { path: string; body: string; count: number }) => Fault | undefined;

export interface FaultyDoor {
  readonly url: string;
  /** How many requests came. */
  readonly requests: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy before a service, on a free port, that answers some requests itself. The service may be started again
 * elsewhere; while it is away, connections are cut.
 */
export async function startFaultyDoor(service: () => string, decide: Decide): Promise<FaultyDoor> {
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    const path = request.url ?? '';
    const number = count;
    const body = await buffer(request);
    const fault = decide({ path, body: body.toString(), count: number });
    if (fault === 'cut') return void request.socket.destroy();
    if (typeof fault === 'object') {
      const { status, body: answer = {}, retryAfterS = 0 } = fault;
      const [type, text] =
        typeof answer === 'string' ? ['text/html', answer] : ['application/json', JSON.stringify(answer)];
      return void response.writeHead(status, { 'content-type': type, 'retry-after': String(retryAfterS) }).end(text);
    }
    const { method = 'GET' } = request;
    const init = { method, headers: passedOn(request.headers), ...(method !== 'GET' && { body }) };
    const answered = await fetch(`${service()}${path}`, init)
      .then(async (answer) => ({ answer, bytes: new Uint8Array(await answer.arrayBuffer()) }))
      .catch(() => undefined);
    if (fault === 'cut after' || answered === undefined) return void request.socket.destroy();
    const { answer, bytes } = answered;
    response.writeHead(answer.status, kept(answer.headers)).end(bytes);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return count;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function kept(headers: Headers): Record<string, string> {
  const names = ['content-type', 'retry-after', 'x-request-id'];
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])));
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['authorization', 'content-type', 'content-encoding', 'content-digest', 'idempotency-key'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
