import { createHash } from 'node:crypto';

const STYLES = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; }
section { border-top: 1px solid; padding: 0 .5rem; scroll-margin-top: 1rem; }
section:target { outline: 3px solid; outline-offset: 2px; }
h3 { margin: .75rem 0 0; font-size: 1rem; }
h3, code, dd, p { overflow-wrap: anywhere; }
dl, p { margin: .25rem 0 .75rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .25rem; }
pre { overflow-x: auto; }
`;

/** Such a page needs nothing but itself: no script, no other address. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page of plain HTML, made from what the service knows. Serve it under `PAGE_POLICY`. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<style>${STYLES}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
