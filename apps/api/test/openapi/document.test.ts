import { ERROR_CODES, FIELD_CODES, TOKEN_CODES } from '@causeway/contracts';
import { expect, test } from 'vitest';
import type { oas31 } from 'zod-openapi';
import { createDocument } from '../../src/openapi/document.ts';
import { appRouter } from '../../src/procedures/router.ts';
import { type Route, routesOf } from '../../src/rest/routes.ts';
import { publishedDocument, publishedOperations, publishedResponse, resolve } from '../support/published-document.ts';
import { problemsOf } from '../support/strict-document.ts';

const TYPES = ['application/json', 'application/x-ndjson', 'application/jose'];
const operations = publishedOperations();

const at = ({ method, path }: Route) => `${method.toLowerCase()} ${path}`;
const creates = (operationId: string) => /^(?:create|import|process)[A-Z]/.test(operationId);

/** Every example of a request or response, with the schema it belongs to. */
const mediaTypes = operations.flatMap(({ path, method, operation }) => {
  const at = `/paths/${path.replaceAll('/', '~1')}/${method}`;
  const body = operation.requestBody as oas31.RequestBodyObject | undefined;
  return [
    ...(body === undefined
      ? []
      : [{ name: `${operation.operationId} request`, pointer: `${at}/requestBody`, ...body }]),
    ...Object.keys(operation.responses ?? {}).map((status) => {
      const response = publishedResponse(path, method, Number(status));
      return { name: `${operation.operationId} ${status}`, pointer: '', content: {}, ...response };
    }),
  ].map(({ name, pointer, content }) => {
    const type = TYPES.find((known) => known in content) ?? '';
    return {
      name,
      pointer: `${pointer}/content/${type.replace('/', '~1')}/schema`,
      examples: Object.entries(content[type]?.examples ?? {}).map(
        ([key, example]) => [key, resolve<oas31.ExampleObject>(example)] as const,
      ),
    };
  });
});

test('7 the committed document is the one the service makes: run pnpm document', () => {
  expect(JSON.parse(JSON.stringify(createDocument()))).toEqual(publishedDocument);
});

test('4 documents the paths and methods of all endpoints, trailing slash included', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`);
  expect(documented).toEqual(expect.arrayContaining(routesOf(appRouter).map(at)));
  for (const place of documented) expect(place).toMatch(/^(?:get|post|put) \/v1\/.*\/$/);
});

test('7.1 documents the success statuses: 201 of what creates, both of what may find it there, otherwise 200', () => {
  for (const { operation } of operations) {
    const { operationId = '', responses = {} } = operation;
    const successes = Object.keys(responses).filter((status) => status < '300');
    const expected = /^(?:stage|put)[A-Z]/.test(operationId) ? ['200', '201'] : [creates(operationId) ? '201' : '200'];
    expect([operationId, ...successes]).toEqual([operationId, ...expected]);
  }
});

test.each(mediaTypes)('7 $name has examples, and each is valid', ({ pointer, examples }) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const [name, { summary, value }] of examples) {
    expect(summary === name || /^[A-Z][a-z ]/.test(summary ?? ''), name).toBe(true);
    expect(problemsOf(value, pointer), name).toEqual([]);
  }
});

test('7 every example of a schema is valid by it', () => {
  const schemas = Object.entries(publishedDocument.components?.schemas ?? {}) as [string, oas31.SchemaObject][];
  for (const [name, schema] of schemas) {
    for (const example of schema.examples ?? []) {
      expect(problemsOf(example, `/components/schemas/${name}`), name).toEqual([]);
    }
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      for (const example of ('examples' in property && property.examples) || []) {
        expect(problemsOf(example, `/components/schemas/${name}/properties/${field}`), `${name}.${field}`).toEqual([]);
      }
    }
  }
});

/** Beside `permission_denied`. */
const OF_SERVICE_TEAM = [
  'organisation_does_not_exist',
  'organisation_already_exists',
  'api_key_does_not_exist',
  'last_staff_api_key',
  'account_count_differs',
  'person_required',
  'import_supplier_already_exists',
  'import_supplier_status_not_allowed',
  'import_supplier_not_ready',
  'customer_emails_not_possible',
  'email_template_invalid',
  'customer_email_does_not_exist',
  'customer_email_state_not_allowed',
  'email_suppression_does_not_exist',
  'operations_team_does_not_exist',
  'operations_team_already_exists',
];

test('7.3 every error code is that of an answer, of a line of a book, or one of the service team', () => {
  const documented = new Set(mediaTypes.flatMap(({ examples }) => examples.map(([name]) => name)));
  expect(Object.keys(ERROR_CODES).filter((code) => !documented.has(code))).toEqual([
    'permission_denied',
    'line_too_long',
    'duplicate_in_file',
    ...OF_SERVICE_TEAM,
  ]);
});

test('7.3 publishes all codes in one place', () => {
  const guide = publishedDocument.info.description ?? '';
  const tokenCodes = Object.values(TOKEN_CODES).map(({ errorCode }) => errorCode);
  for (const code of [...Object.keys(ERROR_CODES), ...Object.keys(FIELD_CODES), ...tokenCodes]) {
    expect(guide).toContain(`| \`${code}\` |`);
  }
  expect(guide).not.toMatch(/\{\{|undefined/);
});

test('7.3.1 lists the codes of the service team apart from those that suppliers get', () => {
  const [, ofServiceTeam = ''] = (publishedDocument.info.description ?? '').split('## Codes of the service team');
  expect([...ofServiceTeam.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)).toEqual([
    'permission_denied',
    ...OF_SERVICE_TEAM,
  ]);
});

test('13.1 says what a client does after every status there is', () => {
  const statuses = new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses ?? {})));
  const guide = publishedDocument.info.description ?? '';
  expect([...statuses].filter((status) => !guide.includes(`\n| ${status} |`))).toEqual([]);
});

test('4.5 says that transactions added without looking are repeated with their key only, wherever it is uncertain', () => {
  const guide = publishedDocument.info.description ?? '';
  const rowOf = (name: string) => guide.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
  for (const name of ['500', '503', 'none', '`internal_error`', '`service_unavailable`']) {
    expect(rowOf(name), name).toContain('may have taken effect');
    expect(rowOf(name), name).toMatch(/`check_previously_added=false` only with the [^|]*`Idempotency-Key`/);
  }
  expect(rowOf('Import financial transactions')).toMatch(/Not with false.*`Idempotency-Key`/);
  for (const status of [500, 503]) {
    const { description } = publishedResponse('/v1/data-import/transactions/create/', 'post', status) ?? {};
    expect(description).toMatch(/may have taken effect[\s\S]*`check_previously_added=false` only with the same/);
  }
});

test('4.5 the two URL parameters are in the query and not in the body', () => {
  const { parameters = [] } = publishedDocument.paths?.['/v1/data-import/transactions/create/']?.post ?? {};
  const query = parameters.filter((parameter) => 'in' in parameter && parameter.in === 'query');
  expect(query).toMatchObject([
    { name: 'check_previously_added', schema: { type: 'boolean', default: true } },
    { name: 'force_add_to_current_statement', schema: { type: 'boolean', default: true } },
  ]);
  const body = publishedDocument.components?.schemas?.ImportTransactionsRequest as oas31.SchemaObject;
  expect(Object.keys(body.properties ?? {})).toEqual([
    'import_supplier',
    'external_account_number',
    'transactions',
    'dry_run',
  ]);
});

test('5 every operation but ObtainToken needs the token, in the Authorization header', () => {
  expect(publishedDocument.security).toEqual([{ AccessToken: [] }]);
  expect(publishedDocument.components?.securitySchemes?.AccessToken).toMatchObject({
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
  });
  const open = operations.filter(({ operation }) => operation.security !== undefined);
  expect(open.map(({ operation }) => [operation.operationId, operation.security])).toEqual([['obtainToken', []]]);
});

test('9 leaves room for fields and codes that may be added', () => {
  const text = JSON.stringify(publishedDocument);
  expect(text).not.toContain('"additionalProperties":false');
  expect(text).not.toMatch(/"enum":\[[^\]]*"internal_error"/);
});

test('7 names request and response bodies, each schema once, and nothing of how the service is built', () => {
  const names = Object.keys(publishedDocument.components?.schemas ?? {});
  expect(names).toEqual(
    expect.arrayContaining(['AccountPayload', 'ValidatedAccount', 'ImportNotesRequest', 'ErrorBody']),
  );
  expect(names.filter((name) => /Output$|^error\./.test(name))).toEqual([]);
  expect(JSON.stringify(publishedDocument)).not.toMatch(/tRPC|zod|procedure|Express|Prisma/i);
});
