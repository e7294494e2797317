import { documentationUrl, TOKEN_CODES, type TokenCodeName } from '@causeway/contracts';
import type { oas31 } from 'zod-openapi';
import { extensionsOf } from '../graphql/refusals.ts';
import { headers, json } from './components.ts';
import { exampleOf } from './examples.ts';
import { schemaReference } from './schemas.ts';

export const OBTAIN_TOKEN_PATH = '/v1/graphql/';

const HEADERS_BY_STATUS: Record<number, Parameters<typeof headers>> = {
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The token endpoint. It is not in the router, because it is GraphQL (behaviour 5.2). */
export function obtainTokenPath(): oas31.PathItemObject {
  const byStatus = Map.groupBy(Object.keys(TOKEN_CODES) as TokenCodeName[], (name) => TOKEN_CODES[name].status);
  const refused = [...byStatus].sort(([one], [other]) => one - other);
  return {
    post: {
      operationId: 'obtainToken',
      summary: 'Obtain token',
      description: DESCRIPTION,
      tags: ['Authentication'],
      security: [],
      requestBody: {
        required: true,
        content: json(schemaReference('ObtainTokenRequest'), {
          api_key: requestExample('With the API key', { APIKey: 'cw_supplier_YOUR-API-KEY' }),
          refresh_token: requestExample('With a refresh token', { refreshToken: REFRESH_TOKEN }),
        }),
      },
      responses: Object.fromEntries(refused.map(([status, refusals]) => [String(status), response(status, refusals)])),
    },
  };
}

const DESCRIPTION = `Exchanges your API key, or a refresh token, for an access token that is good for 60 minutes.

This is GraphQL: the body has a \`query\` and its \`variables\`, and a refusal is in \`errors\`, often with status
200, so look there first. \`errors[0].extensions.errorCode\` is stable. A document holds one \`obtainToken\`; the schema can
be asked for by introspection. Failed attempts are limited to 60 a minute for each client address, and to 20 for each key;
what others do behind your address does not lock your key out, unless it is more than 600 failures a minute.
Tokens are limited to 300 a minute for each key.

The refresh token spares you keeping the API key at hand. It is valid for 7 days. Using it returns its successor: use that
one from then on. If you lost the answer, use it again within 10 minutes: you get the same successor. A use after that
shows that two hold the token, so it ends the token and all its successors. 30 days after the token that the API key
returned, the API key is needed again. Revoking the API key ends all of them.

Asking again with the API key is harmless: each answer is a token of its own, and earlier ones stay good. So it takes no
\`Idempotency-Key\`.`;

function requestExample(summary: string, input: object): oas31.ExampleObject {
  return { summary, value: { query: TOKEN_QUERY, variables: { input } } };
}

function response(status: number, names: TokenCodeName[]): oas31.ResponseObject {
  const refusals = names.map(extensionsOf);
  const listed = refusals.map(({ errorCode, errorDescription }) => `- \`${errorCode}\`: ${errorDescription}`);
  const examples = Object.fromEntries(refusals.map((refusal) => [refusal.errorCode, refusalExample(status, refusal)]));
  const isSuccess = status === 200;
  return {
    description: [isSuccess ? 'A token, or a refusal in `errors`.' : 'Refused.', ...listed].join('\n'),
    headers: headers(...(HEADERS_BY_STATUS[status] ?? [])),
    content: isSuccess
      ? json(schemaReference('ObtainTokenResponse'), {
          token: {
            summary: 'A token',
            value: { data: { obtainToken: exampleOf(schemaReference('ObtainedToken'), OBTAIN_TOKEN_SCHEMAS) } },
          },
          ...examples,
        })
      : json(schemaReference('ObtainTokenRefusal'), examples),
  };
}

function refusalExample(status: number, extensions: ReturnType<typeof extensionsOf>): oas31.ExampleObject {
  const error = { message: extensions.errorDescription, extensions };
  const path = ['obtainToken'];
  return {
    summary: extensions.errorCode,
    description: extensions.errorDescription,
    value: status === 200 ? { data: null, errors: [{ ...error, path }] } : { errors: [error] },
  };
}

/** The mutation, ready to send. */
const TOKEN_QUERY =
  'mutation ObtainToken($input: ObtainTokenInput!) { obtainToken(input: $input) ' +
  '{ token payload refreshToken refreshExpiresIn } }';
const REFRESH_TOKEN = 'cw_refresh_the-refresh-token-of-this-example';
const ISSUED_AT = Date.parse('2026-04-17T09:30:12Z') / 1000;
const { errorCode, errorDescription } = TOKEN_CODES.invalidApiKey;

type Properties = oas31.SchemaObject['properties'] & object;
const text = (description: string, example: string) => ({ type: 'string' as const, description, examples: [example] });
const unixTime = (what: string, at: number): oas31.SchemaObject => ({
  ...{ type: 'integer', description: `${what}, in Unix seconds.`, examples: [at] },
});
/** A field of the token is there if the query asks for it. */
const object = (description: string, properties: Properties, required?: string[]): oas31.SchemaObject => ({
  ...{ type: 'object', ...(description !== '' && { description }), ...(required && { required }), properties },
});
const EXTENSIONS = {
  errorType: text('The origin of the error: VALIDATION, AUTHORIZATION or APPLICATION.', 'AUTHORIZATION'),
  errorCode: {
    ...text('The kind of error, stable over time. New codes may be added.', errorCode),
    'x-extensible-enum': Object.values(TOKEN_CODES).map((refusal) => refusal.errorCode),
  },
  errorDescription: text('What the code means.', errorDescription),
  documentationUrl: {
    ...text('Where the code is described: a path of this service.', documentationUrl(errorCode)),
    format: 'uri-reference',
  },
};
const ERRORS: oas31.SchemaObject = {
  type: 'array',
  description: 'Why there is no token.',
  items: schemaReference('ObtainTokenError'),
  minItems: 1,
};

/** The schemas of the request and its answers. */
export const OBTAIN_TOKEN_SCHEMAS: Record<string, oas31.SchemaObject> = {
  ObtainTokenRequest: object(
    'A GraphQL request.',
    {
      query: text('The GraphQL document: one operation.', TOKEN_QUERY),
      variables: object('The variables of the document.', { input: schemaReference('ObtainTokenInput') }),
      operationName: text('The name of the operation, if it has one.', 'ObtainToken'),
    },
    ['query'],
  ),
  ObtainTokenInput: object('Exactly one of the two.', {
    APIKey: text("Your organisation's API key, as the service team gave it to you.", 'cw_supplier_YOUR-API-KEY'),
    refreshToken: text('The refresh token of an earlier answer.', REFRESH_TOKEN),
  }),
  ObtainTokenResponse: object('A token in `data`, or why there is none in `errors`.', {
    data: { ...object('', { obtainToken: schemaReference('ObtainedToken') }), type: ['object', 'null'] },
    errors: ERRORS,
  }),
  ObtainedToken: object('The requested fields of the token.', {
    token: text('The access token, for the `Authorization` header.', 'the-header.the-payload.the-signature'),
    payload: schemaReference('TokenPayload'),
    refreshToken: text(
      'Obtains the next token without the API key. From then on use this one, not the token that you sent.',
      REFRESH_TOKEN,
    ),
    refreshExpiresIn: unixTime('When the refresh token expires', ISSUED_AT + 7 * 24 * 3600),
  }),
  TokenPayload: object(
    'The claims of the token. Take the times from here; you need not decode the token itself.',
    {
      iss: text('Who issued it: causeway.', 'causeway'),
      sub: text('The id of the API key.', '7d4f0c1a-52b6-4f83-9a4e-1c2b8a5d6e90'),
      org: text('The id of your organisation.', '0b9c6a52-0f5e-4a6c-8f0e-6a3d1b7c2f41'),
      // No example: a supplier's token does not have it.
      staff: { type: 'boolean', description: 'True for a token of the service team.' },
      iat: unixTime('When it was issued', ISSUED_AT),
      exp: unixTime('When it expires', ISSUED_AT + 3600),
      jti: text('The id of the token.', 'c1a7e0d2-93b4-4c58-b6f1-5e8d2a9c7034'),
    },
    ['iss', 'sub', 'iat', 'exp', 'jti'],
  ),
  ObtainTokenRefusal: object('Why there is no token.', { errors: ERRORS }, ['errors']),
  ObtainTokenError: object(
    'One reason, in the shape of GraphQL errors.',
    {
      message: text('A sentence for people.', errorDescription),
      path: { type: 'array', items: { type: ['string', 'integer'] }, description: 'The field of the document.' },
      locations: {
        type: 'array',
        description: 'Where in the document.',
        items: object('', { line: { type: 'integer' }, column: { type: 'integer' } }, ['line', 'column']),
      },
      extensions: object('', EXTENSIONS, Object.keys(EXTENSIONS)),
    },
    ['message', 'extensions'],
  ),
};
