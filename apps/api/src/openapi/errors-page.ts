import { createHash } from 'node:crypto';
import { FIELD_CODES } from '@causeway/contracts';
import { REFUSALS } from '../graphql/refusals.ts';
import { appRouter } from '../procedures/router.ts';
import { routesOf } from '../rest/routes.ts';
import { errorExample } from './error-examples.ts';
import { type PublishedCode, publishedCodes } from './published-codes.ts';

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

/** The page needs nothing but itself: no script, no other address. */
export const ERRORS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the service knows of every code, one anchor a code: where every `documentation_url` leads. */
export function errorsPage(): string {
  const codes = publishedCodes(routesOf(appRouter));
  const groups = [
    group('Error codes', 'The values of `code`.', codes.filter(({ isPublic }) => isPublic).map(errorSection)),
    group(
      'Field codes',
      'The values of `errors[].code`, beside those above.',
      Object.entries(FIELD_CODES).map(([code, when]) => section({ code, when })),
    ),
    group('Token codes', 'The values of `errors[].extensions.errorCode` of ObtainToken.', tokenSections()),
    group(
      'Codes of the service team',
      'These occur in the tools of the service team only.',
      codes.filter(({ isPublic }) => !isPublic).map(errorSection),
    ),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors of the Causeway API</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<style>${STYLES}</style>
</head>
<body>
<h1>Errors</h1>
<p>${inline('Every code that this service answers with. The `documentation_url` of an error leads to its code.')}
The <a href="/docs">reference</a> says how errors are built and how a request is sent again.</p>
${groups.join('\n')}
</body>
</html>
`;
}

function tokenSections(): string[] {
  return Object.values(REFUSALS).map(({ errorCode, status, errorDescription, remedy }) =>
    section({ code: errorCode, statuses: [status], when: errorDescription, remedy }),
  );
}

function errorSection({ code, statuses, row }: PublishedCode): string {
  const { when, cause, remedy } = row;
  return section({ code, statuses, when, cause, remedy, example: JSON.stringify(errorExample(code), null, 2) });
}

interface Described {
  code: string;
  statuses?: readonly number[];
  when: string;
  cause?: string;
  remedy?: string;
  example?: string;
}

function group(title: string, introduction: string, sections: string[]): string {
  return `<h2>${title}</h2>\n<p>${inline(introduction)}</p>\n${sections.join('\n')}`;
}

function section({ code, statuses, when, cause, remedy, example }: Described): string {
  const parts = [
    `<h3><a href="#${code}"><code>${code}</code></a>${statuses === undefined ? '' : ` ${statuses.join(', ')}`}</h3>`,
    `<p>${inline(when)}</p>`,
    `<dl>${term('Usual cause', cause)}${term('What your client does', remedy)}</dl>`,
    example === undefined ? '' : `<details><summary>Example</summary><pre>${escaped(example)}</pre></details>`,
  ];
  return `<section id="${code}">\n${parts.filter((part) => part !== '' && part !== '<dl></dl>').join('\n')}\n</section>`;
}

function term(name: string, sentence: string | undefined): string {
  return sentence === undefined ? '' : `<dt>${name}</dt><dd>${inline(sentence)}</dd>`;
}

/** A sentence of the tables: what stands between backticks is code. */
function inline(sentence: string): string {
  return escaped(sentence).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
