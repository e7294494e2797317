import { createHash } from 'node:crypto';

/** The colours are ours in light and dark: a browser's own links are too pale for some of its own backgrounds. */
const STYLES = `
:root { color-scheme: light; font: 100%/1.5 system-ui, sans-serif;
  --ground: #fff; --ink: #1b2226; --faint: #4d585e; --soft: #f2f5f6; --line: #ccd5d9; --link: #0f4c5c; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark;
  --ground: #101416; --ink: #e6eaec; --faint: #a9b4ba; --soft: #1b2226; --line: #39454b; --link: #7cc3d3; } }
html { background: var(--ground); color: var(--ink); }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; }
h1 { border-bottom: 3px solid var(--link); padding-bottom: .5rem; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; line-height: 1.25; }
a { color: var(--link); text-underline-offset: .2em; }
section { border-top: 1px solid var(--line); padding: 0 .5rem .5rem; scroll-margin-top: 1rem; }
section:target { outline: 3px solid var(--link); outline-offset: 2px; }
h3 { margin: .75rem 0 0; font-size: 1rem; }
h3, code, dd, p { overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
p code, dd code { background: var(--soft); border-radius: .25rem; padding: .1em .3em; }
dl, p { margin: .25rem 0 .75rem; }
dt { font-weight: 600; margin-top: .5rem; }
dd { margin: 0 0 .25rem; }
section dt { color: var(--faint); font-size: .875rem; }
summary { cursor: pointer; color: var(--faint); }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .25rem; padding: .75rem;
  font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** Such a page is self-contained: no script, no other address. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page of plain HTML. Serve it with `PAGE_POLICY`. */
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
