import type { oas31 } from 'zod-openapi';
import { problemsOfDocumentationUrl } from './documentation-url.ts';
import { type PublishedResponse, publishedDocument, publishedResponse, resolve } from './published-document.ts';
import { problemsOf } from './strict-document.ts';

/** An answer as it came over the wire; `path` may have a query string. */
export interface WireAnswer {
  method: string;
  path: string;
  status: number;
  body: unknown;
  headers: Headers;
}

const JSON_TYPE = /^application\/json(?:; charset=utf-8)?$/;

/** What the service may answer at an address that the document does not have, or to a method that it does not have. */
const UNDOCUMENTED_STATUSES = [400, 401, 404, 405, 408, 413, 415, 500, 503];

/**
 * Throws where an answer is not what the published document promises for its path, method and status: its headers, its
 * content type, its body without a field or code beyond those documented, and a code that the operation lists.
 */
export function assertDocumented(answer: WireAnswer): void {
  const problems = problemsOfAnswer(answer);
  if (problems.length > 0) {
    const { method, path, status, body } = answer;
    throw new Error(
      `${method} ${path} answered ${status}, which the published document does not have:\n` +
        `${problems.map((problem) => `  ${problem}`).join('\n')}\n${JSON.stringify(body)?.slice(0, 2_000)}`,
    );
  }
}

function problemsOfAnswer(answer: WireAnswer): string[] {
  const { method, status, headers, body } = answer;
  const missingId = headers.get('x-request-id') ? [] : ['X-Request-Id is missing'];
  if (method === 'OPTIONS') {
    return missingId;
  }
  const template = templateOf(answer.path);
  const documented = template === undefined ? undefined : responseFor(template, method, status);
  if (documented !== undefined) {
    return [
      ...problemsOfHeaders(documented, headers),
      ...(method === 'HEAD' ? [] : problemsOfBody(documented, answer)),
    ];
  }
  const isKnownElsewhere = template === undefined && UNDOCUMENTED_STATUSES.includes(status);
  return isKnownElsewhere
    ? [...missingId, ...problemsOf(body, '/components/schemas/ErrorBody'), ...problemsOfCode(body)]
    : [`the status is not among those of ${method} ${template ?? 'an unknown path'}`];
}

/** The documented path that an address stands for, with or without its trailing slash. */
function templateOf(address: string): string | undefined {
  const [path = ''] = address.split('?', 1);
  const segments = path.replace(/\/$/, '').split('/');
  return Object.keys(publishedDocument.paths ?? {}).find((template) => {
    const expected = template.replace(/\/$/, '').split('/');
    return (
      expected.length === segments.length &&
      expected.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
    );
  });
}

/** A method that the path does not take gets the answer that the path's own operation documents for it. */
function responseFor(template: string, method: string, status: number): PublishedResponse | undefined {
  const methods = Object.keys(publishedDocument.paths?.[template] ?? {});
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
  const isOwn = methods.includes(asked);
  const isRefusal = status === 401 || status === 405;
  return isOwn || isRefusal ? publishedResponse(template, isOwn ? asked : (methods[0] ?? ''), status) : undefined;
}

function problemsOfHeaders(response: PublishedResponse, headers: Headers): string[] {
  const documented = Object.entries(response.headers ?? {});
  return documented
    .filter(([name, header]) => resolve<oas31.HeaderObject>(header).required && !headers.has(name))
    .map(([name]) => `the header ${name} is missing`);
}

function problemsOfBody(response: PublishedResponse, { status, body, headers }: WireAnswer): string[] {
  const type = headers.get('content-type') ?? 'none';
  const wrongType = JSON_TYPE.test(type) ? [] : [`the content type is ${type}`];
  const problems = problemsOf(body, `${response.pointer}/content/application~1json/schema`);
  const listed = Object.keys(response.content?.['application/json']?.examples ?? {});
  // An import supplier has a code too. GraphQL refuses with 200.
  const isRecord = status < 400 && Object(body).errors === undefined;
  if (isRecord) return [...wrongType, ...problems];
  const { code } = codeOf(body);
  const unlisted = code === undefined || listed.includes(String(code)) ? [] : [`the code ${code} is not listed`];
  return [...wrongType, ...problems, ...unlisted, ...problemsOfCode(body)];
}

function problemsOfCode(body: unknown): string[] {
  const { code, url } = codeOf(body);
  return code === undefined ? [] : problemsOfDocumentationUrl(code, url);
}

/** The code of an error body and where it is described, in our own shape or in that of GraphQL. */
function codeOf(body: unknown): { code?: unknown; url?: unknown } {
  const { code, documentation_url, errors } = Object(body);
  const extensions = errors?.[0]?.extensions;
  return code === undefined
    ? { code: extensions?.errorCode, url: extensions?.documentationUrl }
    : { code, url: documentation_url };
}
