import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { ERROR_PAGE } from '@causeway/contracts';
import { type Request, type Response, Router } from 'express';
import { createDocument } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { PAGE_POLICY } from './page.ts';
import { FAVICON, REFERENCE_POLICY, referencePage, START_SCRIPT } from './reference-page.ts';
import { startPage } from './start-page.ts';

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

interface Encodings {
  plain: Buffer;
  gzipped: Buffer;
}

interface PublishedDocument extends Encodings {
  etag: string;
}

interface Bundle extends Encodings {
  path: string;
  etag: string;
}

/**
 * `GET /` for browsers, `GET /openapi.json`, the published document, `GET /docs/errors`, the codes with an anchor each,
 * and `GET /docs`, the reference page: Scalar's browser bundle and everything else it needs come from this service, so
 * it works without the internet, and its Content-Security-Policy blocks everything else.
 */
export function createDocsRouter(): Router {
  const router = Router();
  let loading: Promise<Bundle> | undefined;
  const bundle = () => {
    loading ??= loadBundle();
    return loading;
  };
  let published: PublishedDocument | undefined;
  let errors: PublishedDocument | undefined;
  let start: PublishedDocument | undefined;

  router.get('/openapi.json', (request, response) => {
    published ??= publish(JSON.stringify(createDocument()));
    sendPublished(published, 'application/json', { request, response });
  });
  router.get(ERROR_PAGE, (request, response) => {
    errors ??= publish(errorsPage());
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    sendPublished(errors, 'text/html', { request, response });
  });
  router.get('/', (request, response, next) => {
    // A program that calls this has the wrong address: 404.
    if (request.headers.accept?.includes('text/html') !== true) return next();
    start ??= publish(startPage());
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    sendPublished(start, 'text/html', { request, response });
  });
  router.get('/docs', async (_request, response) => {
    response.setHeader('Content-Security-Policy', REFERENCE_POLICY);
    send(response, { type: 'text/html', cache: 'no-cache', content: referencePage((await bundle()).path) });
  });
  router.get('/docs/start.js', (_request, response) => {
    send(response, { type: 'text/javascript', cache: 'no-cache', content: START_SCRIPT });
  });
  router.get(['/docs/favicon.svg', '/favicon.ico'], (_request, response) => {
    send(response, { type: 'image/svg+xml', cache: ONE_HOUR, content: FAVICON });
  });
  router.get('/docs/reference-:digest.js', async (request, response, next) => {
    const { path, etag, plain, gzipped } = await bundle();
    if (request.path !== path) return next();
    response.setHeader('ETag', etag).setHeader('Vary', 'Accept-Encoding').setHeader('Cache-Control', ONE_YEAR);
    if (request.fresh) return response.status(304).end();
    send(response, {
      type: 'text/javascript',
      cache: ONE_YEAR,
      content: encoded({ plain, gzipped }, request, response),
    });
  });
  return router;
}

/** Both forms are built once: any caller can request them, as often as it likes. */
function publish(text: string): PublishedDocument {
  const plain = Buffer.from(text);
  return { plain, gzipped: gzipSync(plain), etag: `"${digestOf(plain)}"` };
}

function sendPublished(
  published: PublishedDocument,
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

function encoded({ plain, gzipped }: Encodings, request: Request, response: Response): Buffer {
  if (request.acceptsEncodings('gzip') !== 'gzip') return plain;
  response.setHeader('Content-Encoding', 'gzip');
  return gzipped;
}

/** The bundle's address contains its digest: it can be cached permanently, and an upgrade has another address. */
async function loadBundle(): Promise<Bundle> {
  const plain = await readFile(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')));
  const digest = digestOf(plain);
  return { path: `/docs/reference-${digest}.js`, etag: `"${digest}"`, plain, gzipped: await promisify(gzip)(plain) };
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function send(response: Response, answer: { type: string; cache: string; content: string | Buffer }): void {
  response.writeHead(200, {
    'Content-Type': `${answer.type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(answer.content),
    'Cache-Control': answer.cache,
    'Referrer-Policy': 'no-referrer',
  });
  response.end(answer.content);
}
