import { FIELD_CODES, REMARKS, type RemarkCode, TOKEN_CODES } from '@causeway/contracts';
import { appRouter } from '../procedures/router.ts';
import { routesOf } from '../rest/routes.ts';
import { errorExample } from './examples.ts';
import { type PublishedCode, publishedCodes } from './guide.ts';
import { page } from './page.ts';

/** What the service knows of every code, one anchor a code: where every `documentation_url` leads. */
export function errorsPage(): string {
  const codes = publishedCodes(routesOf(appRouter));
  const groups = [
    group('Error codes', 'The values of `code`.', codes.filter(({ isPublic }) => isPublic).map(errorSection)),
    group(
      'Field codes',
      'The values of `errors[].code`, beside those above.',
      Object.entries(FIELD_CODES).map(([code, when]) => fieldSection(code, when)),
    ),
    group(
      'Remarks',
      'Nothing was refused: these are listed with the problems of an import supplier and with the account, where ' +
        '`refused` is false.',
      Object.keys(REMARKS).map((code) => problemSection(code as RemarkCode)),
    ),
    group('Token codes', 'The values of `errors[].extensions.errorCode` of ObtainToken.', tokenSections()),
    group(
      'Codes of the service team',
      'These occur in the tools of the service team only.',
      codes.filter(({ isPublic }) => !isPublic).map(errorSection),
    ),
  ];
  return page(
    'Errors of the Causeway API',
    `<main>
<h1>Errors</h1>
<p>${inline('Every code that this service answers with. The `documentation_url` of an error leads to its code.')}
The <a href="/docs">reference</a> says how errors are built and how a request is sent again.</p>
${groups.join('\n')}
</main>`,
  );
}

/** A code has one place: one that can be reported as well is described there. */
function fieldSection(code: string, when: string): string {
  if (!(code in REMARKS)) return section({ code, when });
  return `<p><a href="#${code}"><code>${code}</code></a>, described with the remarks.</p>`;
}

function problemSection(code: RemarkCode): string {
  const { when, cause, remedy, example } = REMARKS[code];
  const remembered = {
    operation: example.operation,
    refused: false,
    code,
    errors: example.errors.map((attr) => ({ code, attr })),
    detail: example.detail,
  };
  const asField = code in FIELD_CODES ? FIELD_CODES[code as keyof typeof FIELD_CODES] : undefined;
  return section({ code, when, asField, cause, remedy, example: JSON.stringify(remembered, null, 2) });
}

function tokenSections(): string[] {
  return Object.values(TOKEN_CODES).map(({ errorCode, status, errorDescription, remedy }) =>
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
  /** When a request is refused with it. */
  asField?: string | undefined;
  cause?: string;
  remedy?: string;
  example?: string;
}

function group(title: string, introduction: string, sections: string[]): string {
  return `<h2>${title}</h2>\n<p>${inline(introduction)}</p>\n${sections.join('\n')}`;
}

function section({ code, statuses, when, asField, cause, remedy, example }: Described): string {
  const parts = [
    `<h3><a href="#${code}"><code>${code}</code></a>${statuses === undefined ? '' : ` ${statuses.join(', ')}`}</h3>`,
    `<p>${inline(when)}</p>`,
    `<dl>${term('As a field code', asField)}${term('Usual cause', cause)}${term('What your client does', remedy)}</dl>`,
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
