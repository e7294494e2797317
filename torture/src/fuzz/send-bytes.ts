import http from 'node:http';
import type { Answer } from '../rig/send.ts';

/** A request as no well-behaved library would send it. */
export interface BytesRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

/** Sends the bytes as they are. Undefined where no whole answer came. */
export function sendBytes(url: string, { method, path, headers, body }: BytesRequest): Promise<Answer | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const length: Record<string, number> = body === undefined ? {} : { 'Content-Length': body.length };
    const request = http.request({ agent, hostname, port, method, path, headers: { ...headers, ...length } });
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
    request.end(body);
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
