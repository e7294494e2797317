import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { ERROR_PAGE } from '@causeway/contracts';
import { type Request, type Response, Router } from 'express';
import { createDocument } from './document.ts';
import { ERRORS_PAGE_POLICY, errorsPage } from './errors-page.ts';

/** The guide gets the whole width, its tables of codes need it; Scalar would keep half of it empty beside them. */
const STYLES = `
.introduction-section .section-columns { flex-direction: column; gap: 24px; }
.introduction-section .section-column { flex: none; width: 100%; max-width: 100%; }
.introduction-section .section-column:last-child { order: -1; }
.introduction-section .introduction-card { display: grid; grid-template-columns: 2fr 4fr 3fr; gap: 12px; align-items: start; }
@media (max-width: 1000px) { .introduction-section .introduction-card { grid-template-columns: 1fr; } }
.introduction-section .markdown :is(th, td) { word-break: normal; overflow-wrap: normal; }
.introduction-section .markdown td:first-child code { white-space: nowrap; }
.section:focus, .section:focus-visible { outline: none; }
`;

/** Scalar's settings: everything from here, nothing from or to its makers' servers, fields in the order of our schemas. */
const REFERENCE_SETTINGS = {
  url: '/openapi.json',
  title: 'Causeway API',
  slug: 'causeway',
  favicon: '/docs/favicon.svg',
  metaData: { title: 'Causeway API' },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  orderSchemaPropertiesBy: 'preserve',
  customCss: STYLES,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
};

/** Scalar writes style elements and attributes at run time, hence `unsafe-inline` for styles; scripts are ours alone. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f4c5c"/>
<path d="M4 21h24M7 21v-3a4 4 0 0 1 8 0v3m2 0v-3a4 4 0 0 1 8 0v3" fill="none" stroke="#fff" stroke-width="2.5"/></svg>`;

/** Runs before the bundle: the zod inside it would try `eval`, which the policy refuses and browsers report. */
const START_SCRIPT = `globalThis.__zod_globalConfig = { jitless: true };
addEventListener('DOMContentLoaded', () => {
  Scalar.createApiReference('#reference', ${JSON.stringify(REFERENCE_SETTINGS)});
});
`;

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
 * `GET /openapi.json`, the published document, `GET /docs/errors`, the codes with an anchor each, and `GET /docs`, the
 * reference page: Scalar's browser bundle and everything else it needs come from this service, so it works without the
 * internet, and its Content-Security-Policy lets nothing else in or out.
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

  router.get('/openapi.json', (request, response) => {
    published ??= publish(JSON.stringify(createDocument()));
    sendPublished(published, 'application/json', { request, response });
  });
  router.get(ERROR_PAGE, (request, response) => {
    errors ??= publish(errorsPage());
    response.setHeader('Content-Security-Policy', ERRORS_PAGE_POLICY);
    sendPublished(errors, 'text/html', { request, response });
  });
  router.get('/docs', async (_request, response) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    send(response, { type: 'text/html', cache: 'no-cache', content: pageOf(await bundle()) });
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

/** Both forms are made once: anybody may ask for them, as often as they like. */
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

/** The bundle's address contains its digest: it may be kept for ever, and an upgrade has another address. */
async function loadBundle(): Promise<Bundle> {
  const plain = await readFile(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')));
  const digest = digestOf(plain);
  return { path: `/docs/reference-${digest}.js`, etag: `"${digest}"`, plain, gzipped: await promisify(gzip)(plain) };
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function pageOf({ path }: Bundle): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Causeway API</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
</head>
<body>
<noscript>This page needs JavaScript. The same documentation is in <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="/docs/start.js"></script>
<script src="${path}"></script>
</body>
</html>
`;
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
