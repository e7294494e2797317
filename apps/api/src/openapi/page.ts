import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const beside = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const policy = (...own: string[]) =>
  [...own, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; ');

/** The colours are ours in light and dark: a browser's own links are too pale for some of its own backgrounds. */
const STYLES = beside('page.css');

/** Such a page is self-contained: no script, no other address. */
export const PAGE_POLICY = policy(
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  "img-src 'self'",
);

/** A page of plain HTML. Serve it with `PAGE_POLICY`. */
export const page = (title: string, body: string) => htmlPage(title, `<style>${STYLES}</style>`, body);

/** The page at the service's address: what the service is, and where to continue. */
export const startPage = () => page('Causeway', beside('start.html'));

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f4c5c"/>
<path d="M4 21h24M7 21v-3a4 4 0 0 1 8 0v3m2 0v-3a4 4 0 0 1 8 0v3" fill="none" stroke="#fff" stroke-width="2.5"/></svg>`;

/**
 * Scalar's settings: everything from here, nothing from or to its makers' servers, fields in the order of our schemas.
 */
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
  customCss: beside('reference.css'),
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
};

/**
 * Scalar writes style elements and attributes at run time, hence `unsafe-inline` for styles; scripts are ours alone.
 */
export const REFERENCE_POLICY = policy(
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
);

/**
 * Runs before the bundle: the zod inside it would try `eval`, which the policy refuses and browsers report. Then it
 * fixes what Scalar draws (`mend-reference.js`).
 */
export const START_SCRIPT = `globalThis.__zod_globalConfig = { jitless: true };
${beside('mend-reference.js')}
addEventListener('DOMContentLoaded', () => {
  Scalar.createApiReference('#reference', ${JSON.stringify(REFERENCE_SETTINGS)});
});
`;

/** The reference, which loads the bundle from `path`. */
export const referencePage = (path: string) =>
  htmlPage(
    'Causeway API',
    '',
    `<noscript>This page needs JavaScript. The same documentation is in <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="/docs/start.js"></script>
<script src="${path}"></script>`,
  );

function htmlPage(title: string, styles: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
${styles}
</head>
<body>
${body}
</body>
</html>
`;
}
