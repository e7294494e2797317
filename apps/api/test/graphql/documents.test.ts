import { createTestDatabase } from '@causeway/testing';
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  parse,
  print,
  printSchema,
  stripIgnoredCharacters,
} from 'graphql';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { WireRefusal } from '../../src/http/wire-refusal.ts';
import { newSupplierKey } from './api-keys.ts';
import { ATTEMPT_LIMITS, OBTAIN_BY_KEY, startGraphqlServer } from './graphql-server.ts';

const { database, drop } = await createTestDatabase();
const server = await startGraphqlServer(database);
afterAll(async () => {
  await server.close();
  await drop();
});
beforeEach(() => database.prisma.rateLimit.deleteMany());

const { apiKey } = await newSupplierKey(database);
const obtain = `obtainToken(input: {APIKey: "${apiKey}"}) { token }`;
const refusal = (errorCode: string) => ({
  errors: [{ message: expect.any(String), extensions: { errorType: 'VALIDATION', errorCode } }],
});
const jsonHeaders = { 'content-type': 'application/json' };

async function expectMalformed(document: unknown, options: Parameters<typeof server.post>[1] = {}) {
  const { status, body } = await server.post(document, options);
  expect(body).toMatchObject(refusal('CW-1001'));
  expect(body).not.toHaveProperty('data');
  expect(status).toBe(400);
  return body.errors[0].message;
}

describe('documents', () => {
  it('5.7 answers the standard introspection query with every option', async () => {
    const options = { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true };
    const query = getIntrospectionQuery({ ...options, inputValueDeprecation: true, oneOf: true });
    const { status, body } = await server.post(query, { operationName: 'IntrospectionQuery' });
    expect(status).toBe(200);
    const introspection: unknown = body.data;
    const schema = printSchema(buildClientSchema(introspection as IntrospectionQuery));
    expect(schema).toContain('obtainToken(input: ObtainTokenInput!): ObtainToken!');
    expect(schema).toContain('Obtains an access token');
    expect(schema).toContain('10 more minutes');
    expect(await server.post(query).then(({ text }) => text)).toBe(JSON.stringify(body));
    expect(await server.post(print(parse(query))).then(({ text }) => text)).toBe(JSON.stringify(body));
    expect(await server.post(stripIgnoredCharacters(query)).then(({ text }) => text)).toBe(JSON.stringify(body));
  });

  it('5.7 says which version of the service answers', async () => {
    expect((await server.post('{ serviceVersion }')).body).toEqual({ data: { serviceVersion: '1.2.3' } });
  });

  it('5.7 answers a malformed document with 400 and the place', async () => {
    const { status, body } = await server.post('mutation { obtainToken(');
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('Syntax Error'),
      locations: [{ line: 1 }],
    });
    expect(await expectMalformed('{ serviceVersio }')).toContain('Did you mean "serviceVersion"?');
    expect(await expectMalformed(`mutation { obtainToken(input: {apiKey: "x"}) { token } }`)).toContain('"apiKey"');
    expect(await expectMalformed('mutation { obtainToken { token } }')).toContain('(input:)');
    expect(await expectMalformed(`mutation { ${obtain.replace('token }', 'tokn }')} }`)).toContain('"token"');
    await expectMalformed('');
    await expectMalformed('fragment F on Query { serviceVersion }');
    await expectMalformed('subscription { x }');
  });

  it('5.7 answers variables that do not fit with 400', async () => {
    expect(await expectMalformed(OBTAIN_BY_KEY)).toContain('$key');
    for (const variables of [{ key: null }, { key: 1 }, { key: ['x'] }, {}, [], 'x', 1]) {
      await expectMalformed(OBTAIN_BY_KEY, { variables });
    }
    await expectMalformed('{ serviceVersion }', { operationName: 1 });
    await expectMalformed('{ serviceVersion }', { operationName: 'Other' });
    await expectMalformed(1);
    await expectMalformed(null);
    await expectMalformed(undefined);
  });

  it('5.7 answers a body with 400 that is not JSON, a batch or nested deeply', async () => {
    const bodies = ['', '{', 'null', '"x"', `{"query": "{ serviceVersion }"`, '{"query": "{ a }", "query": "{ b }"}'];
    const invalidUtf8 = Buffer.concat([Buffer.from('{"query": "'), Buffer.from([0xff]), Buffer.from('"}')]);
    const batch = JSON.stringify([{ query: '{ serviceVersion }' }, { query: '{ serviceVersion }' }]);
    const deep = `{"query": "{ serviceVersion }", "variables": {"a": ${'['.repeat(5_000)}${']'.repeat(5_000)}}}`;
    for (const body of [...bodies, invalidUtf8, '['.repeat(30_000), batch, deep]) {
      const answer = await server.request({ method: 'POST', headers: jsonHeaders, body });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject(refusal('CW-1001'));
    }
  });

  it('5.7 takes one operation a document', async () => {
    const document = `mutation A { ${obtain} } mutation B { ${obtain} }`;
    expect(await expectMalformed(document, { operationName: 'A' })).toContain('exactly one operation');
    await expectMalformed('query A { serviceVersion } query B { serviceVersion }', { operationName: 'A' });
    expect((await server.post('query A { serviceVersion }', { operationName: 'A' })).status).toBe(200);
    expect((await server.post('query A { serviceVersion }', { operationName: null })).status).toBe(200);
  });

  it('5.7 takes one obtainToken a document, under whatever aliases and fragments', async () => {
    const one = 'obtainToken(input: {APIKey: "x"}) { token }';
    const documents = [
      `mutation { a: ${one} b: ${one} }`,
      `mutation { ${one} ${one} }`,
      `mutation { ...F b: ${one} } fragment F on Mutation { ${one} }`,
      `mutation { ... on Mutation { a: ${one} } ... on Mutation { b: ${one} } }`,
      `mutation { ${Array.from({ length: 10 }, (_, index) => `a${index}: ${one}`).join(' ')} }`,
    ];
    for (const document of documents) {
      expect(await expectMalformed(document)).toContain('one obtainToken');
    }
    expect(await database.prisma.rateLimit.count()).toBe(0);
    const spread = `mutation { ...F ...F } fragment F on Mutation { ${obtain} }`;
    expect((await server.post(spread)).body.data.obtainToken.token).toEqual(expect.any(String));
  });
});

describe('documents that would cost much', () => {
  it('5.7 refuses more than 200 tokens', async () => {
    const aliases = (count: number) =>
      `{ ${Array.from({ length: count }, (_, i) => `a${i}: serviceVersion`).join(' ')} }`;
    expect((await server.post(aliases(60))).status).toBe(200);
    expect(await expectMalformed(aliases(200))).toContain('200 tokens');
    expect(await expectMalformed(`{ ${'serviceVersion '.repeat(260)} }`)).toContain('200 tokens');
    await expectMalformed('{a'.repeat(20_000));
  });

  it('5.7 refuses deep nesting of selections, lists, objects and types', async () => {
    const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
    await expectMalformed(`{ ${nested('a {', '}', 60)} }`);
    await expectMalformed(`mutation { obtainToken(input: ${nested('[', ']', 90)}) { token } }`);
    await expectMalformed(`mutation { obtainToken(input: ${nested('{a: ', '}', 45)}) { token } }`);
    await expectMalformed(`query ($a: ${nested('[', ']', 90)}) { serviceVersion }`);
  });

  it('5.7 refuses fragments that go round, and answers those that double at each step', async () => {
    await expectMalformed('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }');
    const fragments = Array.from({ length: 15 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
    const document = `{ ...F0 } ${fragments.join(' ')} fragment F15 on Query { serviceVersion }`;
    expect((await server.post(document)).body).toEqual({ data: { serviceVersion: '1.2.3' } });
  });

  it('5.7 refuses a look at the schema but by the standard query, however small the document', async () => {
    const documents = [
      '{ __schema { types { name fields { name type { name fields { name } } } } } }',
      '{ a: __schema { queryType { name } } }',
      '{ ...F } fragment F on Query { __type(name: "Query") { name } }',
      '{ ... on Query { __type(name: "ObtainTokenInput") { name inputFields { name } } } }',
    ];
    for (const document of documents) expect(await expectMalformed(document)).toContain('standard introspection');
    const { body } = await server.post('{ __typename serviceVersion }');
    expect(body.data).toEqual({ __typename: 'Query', serviceVersion: '1.2.3' });
  });

  it('5.7 refuses more than 8,000 characters, of whatever kind', async () => {
    for (const filling of [',', '\n', '#x\n', ' ']) {
      expect(await expectMalformed(`${filling.repeat(8_000)}{ serviceVersion }`)).toContain('8000 characters');
    }
  });

  it('5.7 refuses more than 50 values in the variables, at whatever level', async () => {
    const query = 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }';
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`APIKey${index}`, 1]));
    for (const variables of [{ input: many }, many, { input: { APIKey: Object.values(many) } }, { a: [[many]] }]) {
      expect(await expectMalformed(query, { variables })).toContain('50 values');
    }
  });
});

describe('requests', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('5.7 answers %s with 405', async (method) => {
    const path = `/v1/graphql/?query=${encodeURIComponent(`mutation { ${obtain} }`)}`;
    const { status, headers, body } = await server.request({ method }, path);
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('POST, OPTIONS');
    expect(body).toMatchObject(refusal('CW-1002'));
  });

  it('5.7 answers OPTIONS with what it takes, and HEAD without a body', async () => {
    const options = await server.request({ method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, 'POST, OPTIONS', '']);
    const head = await server.request({ method: 'HEAD' });
    expect([head.status, head.headers.get('allow'), head.text]).toEqual([405, 'POST, OPTIONS', '']);
  });

  it('5.7 does not take a document from the query string', async () => {
    const path = `/v1/graphql/?query=${encodeURIComponent('{ serviceVersion }')}`;
    const { status } = await server.request({ method: 'POST', headers: jsonHeaders, body: '{}' }, path);
    expect(status).toBe(400);
  });

  it('5.7 answers other content types with 415', async () => {
    const types = ['text/plain', 'application/graphql', 'application/x-www-form-urlencoded', 'application/jsonx'];
    for (const type of [...types, 'application/json; charset=latin1']) {
      const body = JSON.stringify({ query: '{ serviceVersion }' });
      const answer = await server.request({ method: 'POST', headers: { 'content-type': type }, body });
      expect(answer.status).toBe(415);
      expect(answer.body).toMatchObject(refusal('CW-1005'));
    }
  });

  it('5.7 answers 406 where no answer of ours is accepted', async () => {
    const headers = { ...jsonHeaders, accept: 'text/html' };
    const body = JSON.stringify({ query: '{ serviceVersion }' });
    const answer = await server.request({ method: 'POST', headers, body });
    expect(answer.status).toBe(406);
    expect(answer.body).toMatchObject(refusal('CW-1003'));
  });
});

const [HERE, ELSEWHERE] = ['192.0.2.8', '192.0.2.9'];
const NO_JSON = '{"query": ';

async function startServer(overrides: Parameters<typeof startGraphqlServer>[1] = {}) {
  const server = await startGraphqlServer(database, overrides);
  const send = async (body: string, address = HERE) => {
    const headers = { 'content-type': 'application/json', 'x-test-address': address };
    const answer = await server.request({ method: 'POST', headers, body });
    return [answer.status, answer.body.errors?.[0].extensions.errorCode];
  };
  return { ...server, send };
}

describe('a body for ObtainToken', () => {
  it('5.7.4 has up to 40 kB', async () => {
    const { send, close } = await startServer();
    const body = JSON.stringify({ query: '{ serviceVersion }' });
    expect(await send(body.padEnd(40_960, ' '))).toEqual([200, undefined]);
    expect(await send(body.padEnd(40_961, ' '))).toEqual([413, 'CW-1004']);
    await close();
  });

  it('5.7.6 is not read while the address has too much to do here', async () => {
    const { send, close } = await startServer({
      countWork: () => {
        throw new WireRefusal('service_unavailable', 'The service has more to do than it can now.');
      },
    });
    for (const body of [NO_JSON, NO_JSON.padEnd(20_000, ' ')]) expect(await send(body)).toEqual([503, 'CW-1007']);
    await close();
  });

  it('5.7.6 counts as a document where it is none, and a large one is not read once there were too many', async () => {
    const { send, close } = await startServer({ attemptLimits: { ...ATTEMPT_LIMITS, queriesPerAddress: 3 } });
    const large = NO_JSON.padEnd(20_000, ' ');
    for (const body of [NO_JSON, large, NO_JSON]) expect(await send(body)).toEqual([400, 'CW-1001']);
    expect(await send(NO_JSON)).toEqual([429, 'CW-1105']);
    const attempt = { query: 'mutation { obtainToken(input: { APIKey: "no" }) { token } }' };
    expect(await send(JSON.stringify(attempt))).toEqual([200, 'CW-1101']);
    expect(await send(JSON.stringify(attempt).padEnd(20_000, ' '))).toEqual([429, 'CW-1105']);
    expect(await send(large, ELSEWHERE)).toEqual([400, 'CW-1001']);
    await close();
  });

  it('5.7.6 counts as a document where it is too large', async () => {
    const { send, close } = await startServer({ attemptLimits: { ...ATTEMPT_LIMITS, queriesPerAddress: 2 } });
    const tooLarge = NO_JSON.padEnd(50_000, ' ');
    const answers = [await send(tooLarge), await send(tooLarge), await send(tooLarge)];
    expect(answers).toEqual([
      [413, 'CW-1004'],
      [413, 'CW-1004'],
      [429, 'CW-1105'],
    ]);
    await close();
  });
});
