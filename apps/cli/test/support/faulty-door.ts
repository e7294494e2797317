import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** In place of an answer: the connection is cut, before the service has the request or after it. */
export type Fault = { status: number; body?: object; retryAfterS?: number } | 'cut' | 'cut after';

/** What may happen to the n-th request, counted from 1; undefined lets it through. */
export type Decide = (request: { path: string; body: string; count: number }) => Fault | undefined;

/** A proxy before the service that answers some requests itself. The address of it. */
export async function openFaultyDoor(service: string, decide: Decide): Promise<string> {
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    const path = request.url ?? '';
    const number = count;
    const body = await text(request);
    const fault = decide({ path, body, count: number });
    if (fault === 'cut') return void request.socket.destroy();
    if (typeof fault === 'object') {
      const headers = { 'content-type': 'application/json', 'retry-after': String(fault.retryAfterS ?? 0) };
      return void response.writeHead(fault.status, headers).end(JSON.stringify(fault.body ?? {}));
    }
    const { method = 'GET' } = request;
    const init = { method, headers: passedOn(request.headers), ...(method !== 'GET' && { body }) };
    const answer = await fetch(`${service}${path}`, init);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (fault === 'cut after') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const { authorization, 'content-type': type, 'idempotency-key': key } = headers;
  return {
    ...(authorization && { authorization }),
    ...(type && { 'content-type': type }),
    ...(typeof key === 'string' && { 'idempotency-key': key }),
  };
}
