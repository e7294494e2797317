import { ERROR_CODES, FIELD_CODES, TOKEN_CODES } from '@causeway/contracts';
import { describe, expect, test } from 'vitest';
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
    'account_exists_with_other_data',
    'account_not_created_by_this_job',
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

const schemas = (publishedDocument.components?.schemas ?? {}) as Record<string, oas31.SchemaObject>;

/** The names that a schema refers to, and the places where it describes the fields of an object itself. */
function partsOf(name: string) {
  const names: string[] = [];
  const inline: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const at = `${path}.${key}`;
      if (key === '$ref') names.push(String(part).slice('#/components/schemas/'.length));
      else if (key === 'properties') inline.push(at);
      else if (key !== 'examples') walk(part, at);
    }
  };
  for (const [field, schema] of Object.entries(schemas[name]?.properties ?? {})) walk(schema, `${name}.${field}`);
  for (const form of [schemas[name]?.anyOf, schemas[name]?.oneOf]) walk(form, name);
  return { names, inline };
}

test('2.10.26 every object below the account is a schema with a name', () => {
  const reached = new Set(['AccountPayload']);
  for (const name of reached) {
    const { names, inline } = partsOf(name);
    expect(inline).toEqual([]);
    for (const other of names) reached.add(other);
  }
  expect([...reached]).toEqual(expect.arrayContaining(['BillingAddress', 'PriorityService', 'PrepayDetails', 'Debt']));
});

test('2.10.26 the fields of an account stand together by what they are about', () => {
  const fields = Object.keys(schemas.AccountPayload?.properties ?? {});
  const areas: RegExp[] = [
    /billing|next_bill|last_billed|transfer_balance/,
    /^customers$/,
    /^supply_addresses$/,
    /payment_(?:schedules|review_date)|last_payment/,
    /^debts|dunning|warm_home/,
    /^business|portfolio|campaigns/,
    /^metadata|additional_data/,
    /^(?:notes|(?:historical_)?transactions|last_statement_balance|ledgers|statements|payment_instructions?)$/,
  ];
  const order = fields.map((field) => areas.findIndex((area) => area.test(field)));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(new Set(order).size).toBe(areas.length + 1);
});

type Schema = Record<string, unknown>;

/** Every schema of a part of the document, with its path. */
function schemasIn(value: unknown, path: string): [path: string, schema: Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const own: [string, Schema][] = 'type' in value && typeof value.type === 'string' ? [[path, value as Schema]] : [];
  const parts = Object.entries(value).filter(([key]) => !/^examples?$|^enum$|^x-/.test(key));
  return [...own, ...parts.flatMap(([key, part]) => schemasIn(part, `${path}/${key}`))];
}

const ALL = schemasIn(publishedDocument, '');
const pathsOf = (wanted: (schema: Schema) => boolean) =>
  ALL.filter(([, schema]) => wanted(schema)).map(([path]) => path);

test('13.1.6 no schema has a pattern that its format states', () => {
  expect(pathsOf(({ format }) => format === 'date-time').length).toBeGreaterThan(50);
  expect(pathsOf(({ pattern, format }) => pattern !== undefined && format !== undefined)).toEqual([]);
});

test('13.1.6 each integer says whether 32 bits hold it', () => {
  const integers = ALL.filter(([, { type }]) => type === 'integer');
  expect(integers.length).toBeGreaterThan(50);
  const wrong = integers.filter(([, { format, maximum = Number.POSITIVE_INFINITY }]) =>
    Number(maximum) < 2 ** 31 ? format !== 'int32' : format !== 'int64',
  );
  expect(wrong).toEqual([]);
});

test('13.1.6 no field of a body has a default but in words, and none is required for it', () => {
  const { schemas } = publishedDocument.components as { schemas: Record<string, Schema> };
  const withDefault = schemasIn(schemas, '').filter(([, schema]) => schema.default !== undefined);
  expect(withDefault.map(([path]) => path)).toEqual([]);
  const { properties, required } = schemas.AccountPayload as { properties: Record<string, Schema>; required: string[] };
  expect(required).not.toContain('account_type');
  expect(properties.account_type?.description).toContain('Default: DOMESTIC.');
  expect(properties.communication_preference?.description).toContain('Default: ONLINE.');
  expect(
    (schemas.ProcessAccountRequest as { properties: Record<string, Schema> }).properties.dry_run?.description,
  ).toContain('Default: false.');
});

/** What Python, Java, Go (RE2) and JavaScript with and without its flag `u` read alike. */
const PORTABLE =
  /^\^(?:\\[.\\sS]|[A-Za-z0-9@:_ -]|\[\^?(?:[A-Za-z0-9/@#_!~ -]|\\[\\sS])+\]|\(\?:|[|)*+?]|\{[0-9]{1,4}(?:,[0-9]{1,4})?\})+\$$/;
/** RE2 repeats nothing more often. */
const MOST_REPEATS = 1_000;

interface Patterned {
  pattern: string;
  examples: string[];
}

/** Every pattern of the document, with the examples of its field. */
function patternsIn(value: unknown): Patterned[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { pattern, examples = [] } = value as { pattern?: unknown; examples?: unknown[] };
  const texts = Array.isArray(examples) ? examples.filter((example) => typeof example === 'string') : [];
  const own = typeof pattern === 'string' ? [{ pattern, examples: texts }] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

const found = Map.groupBy(patternsIn(publishedDocument), ({ pattern }) => pattern);
const patterns = [...found].map(([pattern, all]) => ({ pattern, examples: all.flatMap(({ examples }) => examples) }));
const TEXTS = ['', ' ', 'a', ' a', 'a ', 'Zoë 1', 'a\nb', '日本', '/a', 'a@b.co', '1.5', '٣', 'A-B', 'x'.repeat(2_000)];

/** Whether the pattern is at the top only one thing between its ends: `^a|b$` is `^a` or `b$`. */
function hasOneAlternative(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]])*\]|./gs)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|' && depth === 0) return false;
  }
  return true;
}

test('2.10.24 the document has patterns to look at', () => {
  expect(patterns.length).toBeGreaterThan(15);
});

describe.each(patterns)('the published pattern $pattern', ({ pattern, examples }) => {
  test('2.10.24 uses only what Python, Java, Go and JavaScript share, from the first character to the last', () => {
    expect(pattern).toMatch(PORTABLE);
    expect(hasOneAlternative(pattern)).toBe(true);
    const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].flatMap(([, ...numbers]) => numbers.map(Number));
    expect(Math.max(0, ...repeats.filter(Number.isFinite))).toBeLessThanOrEqual(MOST_REPEATS);
  });

  test('2.10.24 accepts the same with and without Unicode, found or as a whole, and its examples', () => {
    const ways = [new RegExp(pattern), new RegExp(pattern, 'u'), new RegExp(`^(?:${pattern})$`)];
    for (const text of [...TEXTS, ...examples]) {
      expect([text, new Set(ways.map((way) => way.test(text))).size]).toEqual([text, 1]);
    }
    for (const example of examples) expect(example).toMatch(ways[0] as RegExp);
  });
});
