import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ERROR_PAGE } from '@causeway/contracts';
import { Router } from 'express';
import { digestOf, type Encodings, encoded, publish, send, sendPublished } from '../answers/publish.ts';
import { createCommandLineRouter } from '../command-line/router.ts';
import { createConsoleRouter } from '../console/router.ts';
import { documentText } from './document.ts';
import { errorsPage } from './errors-page.ts';
import { FAVICON, PAGE_POLICY, REFERENCE_POLICY, referencePage, START_SCRIPT, startPage } from './page.ts';

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

interface Bundle extends Encodings {
  path: string;
  etag: string;
}

/**
 * `GET /` for browsers, `GET /openapi.json`, the published document, `GET /docs/errors`, the codes with an anchor each,
 * and `GET /docs`, the reference page: Scalar's browser bundle and everything else it needs come from this service, so
 * it works without the internet, and its Content-Security-Policy blocks everything else. The command line and
 * the console are served beside them.
 */
export function createDocsRouter(): Router {
  const router = Router();
  const bundle = once(loadBundle);
  const published = once(() => publish(documentText()));
  const errors = once(() => publish(errorsPage()));
  const start = once(() => publish(startPage()));

  router.get('/openapi.json', (request, response) => {
    sendPublished(published(), 'application/json', { request, response });
  });
  router.get(ERROR_PAGE, (request, response) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    sendPublished(errors(), 'text/html', { request, response });
  });
  router.get('/', (request, response, next) => {
    // A program that calls this has the wrong address: 404.
    if (request.headers.accept?.includes('text/html') !== true) return next();
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    sendPublished(start(), 'text/html', { request, response });
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
  router.use(createCommandLineRouter(), createConsoleRouter());
  return router;
}

/** Made when it is first needed. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** The bundle's address contains its digest: it can be cached permanently, and an upgrade has another address. */
async function loadBundle(): Promise<Bundle> {
  const plain = await readFile(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')));
  const digest = digestOf(plain);
  return { path: `/docs/reference-${digest}.js`, etag: `"${digest}"`, plain, gzipped: await promisify(gzip)(plain) };
}
