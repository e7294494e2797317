import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Database } from '@causeway/db';
import express, { type Request } from 'express';
import { createGraphqlHandler, type GraphqlDependencies } from '../../src/graphql/graphql-handler.ts';
import { createTokens } from '../../src/http/tokens.ts';
import { Party } from '../../src/overload/party.ts';
import { bodyLimits } from '../support/body-limits.ts';

/** Those of the environment's defaults. */
export const ATTEMPT_LIMITS = {
  perAddress: 60,
  perAddressAndPrefix: 20,
  callsPerAddress: 6_000,
  callsPerKey: 300,
  queriesPerAddress: 600,
};

export const OBTAIN_BY_KEY = `mutation ObtainToken($key: String!) {
  obtainToken(input: {APIKey: $key}) { token payload refreshToken refreshExpiresIn }
}`;
export const OBTAIN_BY_REFRESH_TOKEN = `mutation ObtainToken($refreshToken: String!) {
  obtainToken(input: {refreshToken: $refreshToken}) { token payload refreshToken refreshExpiresIn }
}`;

interface Obtained {
  token: string;
  payload: { sub: string };
  refreshToken: string;
  refreshExpiresIn: number;
}

/** What tests look at; which of it an answer has, each test says. */
interface GraphqlAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: {
    data: { obtainToken: Obtained; mine?: Obtained };
    errors: [{ message: string; extensions: { errorCode: string } }];
  };
}

export interface GraphqlServer {
  url: string;
  tokens: ReturnType<typeof createTokens>;
  internalErrors: unknown[];
  request(init: RequestInit, path?: string): Promise<GraphqlAnswer>;
  /** Posts a document; `address` is where it is said to come from. */
  post(
    document: unknown,
    options?: { variables?: unknown; operationName?: unknown; address?: string },
  ): Promise<GraphqlAnswer>;
  close(): Promise<void>;
}

/** The handler on a server of its own, over real HTTP; the header X-Test-Address stands for the client's address. */
export async function startGraphqlServer(
  database: Database,
  overrides: Partial<GraphqlDependencies> = {},
): Promise<GraphqlServer> {
  const clock = overrides.clock ?? (() => new Date());
  const tokens = createTokens({ secret: 'a secret that all instances share', clock });
  const internalErrors: unknown[] = [];
  const handler = createGraphqlHandler({
    database,
    clock,
    tokens,
    version: '1.2.3',
    attemptLimits: ATTEMPT_LIMITS,
    limits: bodyLimits(),
    delay: { delayMs: 0, mostDelayed: 1_000 },
    onInternalError: (error) => internalErrors.push(error),
    clientAddress: (request: Request) => request.get('x-test-address') ?? '192.0.2.1',
    ...overrides,
  });
  const app = express().disable('x-powered-by');
  app.use((_request, response, next) => {
    Object.assign(response.locals, { requestId: randomUUID(), party: new Party('test') });
    next();
  });
  app.all('/v1/graphql', handler);
  const server = app.listen(0, '127.0.0.1');
  server.keepAliveTimeout = 600_000;
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const request: GraphqlServer['request'] = async (init, path = '/v1/graphql/') => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    url,
    tokens,
    internalErrors,
    request,
    post: (query, { address = '192.0.2.1', ...rest } = {}) =>
      request({
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-test-address': address },
        body: JSON.stringify({ query, ...rest }),
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
