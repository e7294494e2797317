import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** A text in both forms in which it is sent. */
export interface Encodings {
  plain: Buffer;
  gzipped: Buffer;
}

/** A public text that is sent as often as anybody likes. */
export interface Published extends Encodings {
  etag: string;
}

/** Both forms are built once: any caller can request them, as often as it likes. */
export function publish(text: string | Buffer): Published {
  const plain = Buffer.from(text);
  return { plain, gzipped: gzipSync(plain), etag: `"${digestOf(plain)}"` };
}

/** Sends it with an ETag, zipped to those who can unzip it; 304 to those who have it. */
export function sendPublished(
  published: Published,
  type: string,
  { request, response }: { request: Request; response: Response },
): void {
  response
    .setHeader('ETag', published.etag)
    .setHeader('Vary', 'Accept-Encoding')
    .setHeader('Cache-Control', 'no-cache');
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  send(response, { type, cache: 'no-cache', content: encoded(published, request, response) });
}

/** The form that the client accepts. */
export function encoded({ plain, gzipped }: Encodings, request: Request, response: Response): Buffer {
  if (request.acceptsEncodings('gzip') !== 'gzip') return plain;
  response.setHeader('Content-Encoding', 'gzip');
  return gzipped;
}

/** Half a SHA-256, in hexadecimal digits. */
export function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

export function send(response: Response, answer: { type: string; cache: string; content: string | Buffer }): void {
  response.writeHead(200, {
    'Content-Type': `${answer.type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(answer.content),
    'Cache-Control': answer.cache,
    'Referrer-Policy': 'no-referrer',
  });
  response.end(answer.content);
}
