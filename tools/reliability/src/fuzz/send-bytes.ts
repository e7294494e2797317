import http from 'node:http';
import { drawPieces, type Random, writePieces } from '@causeway/testing';

/** A whole answer of the service. */
export interface Answer {
  status: number;
  /** Parsed JSON; undefined for an empty body. */
  body: unknown;
  headers: Headers;
}

/** A request that no well-behaved library would send. */
export interface BytesRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** Draws how the body is sent: in how many pieces and with which pauses, with a Content-Length or chunked. */
  travel?: Random;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

/**
 * Sends the bytes unchanged: after the head all together, or as `travel` draws. Undefined without a complete answer.
 */
export function sendBytes(url: string, bytes: BytesRequest): Promise<Answer | undefined> {
  const { method, path, headers, body, travel } = bytes;
  const { hostname, port } = new URL(url);
  const isChunked = travel?.chance(0.3) ?? false;
  const framing: Record<string, string | number> =
    body === undefined ? {} : isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': body.length };
  return new Promise((resolve) => {
    const request = http.request({ agent, hostname, port, method, path, headers: { ...headers, ...framing } });
    request.once('error', () => resolve(undefined));
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => resolve(undefined));
      response.once('end', () => {
        const entries = Object.entries(response.headersDistinct).map(([name, values]) => [
          name,
          values?.join(', ') ?? '',
        ]);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(entries as [string, string][]),
          body: parse(Buffer.concat(chunks).toString('utf8')),
        });
      });
    });
    if (body === undefined || travel === undefined) {
      request.end(body);
      return;
    }
    request.flushHeaders();
    void writePieces(request, drawPieces(travel, body)).then(() => request.end());
  });
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
