import { createTestDatabase } from '@causeway/testing';
import { type DocumentNode, parse, print } from 'graphql';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { reuseDocument } from '../../src/graphql/reuse-document.ts';
import { newSupplierKey } from './api-keys.ts';
import { startGraphqlServer } from './graphql-server.ts';

const { database, drop } = await createTestDatabase();
const server = await startGraphqlServer(database);
afterAll(async () => {
  await server.close();
  await drop();
});

describe('a document that comes again with another string', () => {
  let checks = 0;
  const reuse = (query: string, operationName?: string) =>
    print(
      reuseDocument({ query, operationName }, (text) => {
        checks += 1;
        return parse(text);
      }) as DocumentNode,
    );
  beforeEach(() => {
    checks = 0;
  });

  it('5.7 is checked once, and says what was sent', () => {
    for (const key of ['aaaa', 'bbbb', 'c c ', '}{$(']) {
      const query = `mutation{obtainToken(input:{APIKey:"${key}"}){token}}`;
      expect(reuse(query)).toBe(print(parse(query)));
    }
    expect(checks).toBe(1);
  });

  it('5.7 is checked every time where more than its one string could differ', () => {
    const input = (value: string) => `mutation { obtainToken(input: ${value}) { refreshToken } }`;
    for (const query of [
      input('{APIKey: "a\\u0062"}'),
      input('{APIKey: """a"""}'),
      input('{APIKey: "a", refreshToken: "b"}'),
      `# "\n${input('{APIKey: "a"}')}`,
      `${input('{APIKey: "a"}')} #"`,
      input('{APIKey: "é"}'),
      '{ __type(name: "Query") { name } }',
    ]) {
      checks = 0;
      for (let count = 0; count < 2; count += 1) expect(reuse(query)).toBe(print(parse(query)));
      expect([query, checks]).toEqual([query, 2]);
    }
  });

  it('5.7 is checked for each operation name', () => {
    const query = 'mutation A { obtainToken(input: {APIKey: "name"}) { token } }';
    for (const name of ['A', 'B', undefined, 'A']) reuse(query, name);
    expect(checks).toBe(3);
  });
});

describe('ObtainToken', () => {
  it('5.2 answers each key as its own, however often the document around it came', async () => {
    const { apiKey } = await newSupplierKey(database);
    const document = (key: string) => `mutation {\n  mine: obtainToken(input: {APIKey: "${key}"}) { token }\n}`;
    const bad = 'x'.repeat(apiKey.length);
    for (let count = 0; count < 3; count += 1) {
      expect((await server.post(document(apiKey))).body.data.mine?.token).toEqual(expect.any(String));
      const { text, body } = await server.post(document(bad));
      expect(body).toEqual({
        data: null,
        errors: [
          {
            message: 'The API key is not valid or has been revoked.',
            locations: [{ line: 2, column: 3 }],
            path: ['mine'],
            extensions: {
              errorType: 'AUTHORIZATION',
              errorCode: 'CW-1101',
              errorDescription: 'The API key is not valid or has been revoked.',
              documentationUrl: '/docs/errors#CW-1101',
            },
          },
        ],
      });
      expect(text).not.toContain(bad);
    }
  });
});
