import { documentationUrl } from '@causeway/contracts';
import type { oas31 } from 'zod-openapi';
import { REFUSALS } from '../graphql/refusals.ts';
import { schemaReference } from './schemas.ts';

/** The mutation, ready to send. */
export const TOKEN_QUERY =
  'mutation ObtainToken($input: ObtainTokenInput!) { obtainToken(input: $input) ' +
  '{ token payload refreshToken refreshExpiresIn } }';

const ISSUED_AT = Date.parse('2026-04-17T09:30:12Z') / 1000;
const TOKEN_LIFETIME_S = 60 * 60;
const REFRESH_TOKEN_LIFETIME_S = 7 * 24 * 60 * 60;

const CLAIMS = {
  iss: 'causeway',
  sub: '7d4f0c1a-52b6-4f83-9a4e-1c2b8a5d6e90',
  org: '0b9c6a52-0f5e-4a6c-8f0e-6a3d1b7c2f41',
  iat: ISSUED_AT,
  exp: ISSUED_AT + TOKEN_LIFETIME_S,
  jti: 'c1a7e0d2-93b4-4c58-b6f1-5e8d2a9c7034',
};

/** The example of what it returns. */
export const OBTAINED_TOKEN = {
  token: 'the-header.the-payload.the-signature',
  payload: CLAIMS,
  refreshToken: 'cw_refresh_the-refresh-token-of-this-example',
  refreshExpiresIn: ISSUED_AT + REFRESH_TOKEN_LIFETIME_S,
};

const ERRORS: oas31.SchemaObject = {
  type: 'array',
  description: 'Why there is no token.',
  items: schemaReference('ObtainTokenError'),
  minItems: 1,
};

type Schemas = Record<string, oas31.SchemaObject>;

/** The schemas of the request and its answers. A field of `obtainToken` is there if the query asks for it. */
export function obtainTokenSchemas(): Schemas {
  return { ...requestSchemas(), ...tokenSchemas(), ...refusalSchemas() };
}

function requestSchemas(): Schemas {
  return {
    ObtainTokenRequest: {
      type: 'object',
      description: 'A GraphQL request.',
      required: ['query'],
      properties: {
        query: text('The GraphQL document: one operation.', TOKEN_QUERY),
        variables: {
          type: 'object',
          description: 'The variables of the document.',
          properties: { input: schemaReference('ObtainTokenInput') },
        },
        operationName: text('The name of the operation, if it has one.', 'ObtainToken'),
      },
    },
    ObtainTokenInput: {
      type: 'object',
      description: 'Exactly one of the two.',
      properties: {
        APIKey: text("Your organisation's API key, as the service team gave it to you.", 'cw_supplier_YOUR-API-KEY'),
        refreshToken: text('The refresh token of an earlier answer.', OBTAINED_TOKEN.refreshToken),
      },
    },
  };
}

function tokenSchemas(): Schemas {
  return {
    ObtainTokenResponse: {
      type: 'object',
      description: 'A token in `data`, or why there is none in `errors`.',
      properties: {
        data: {
          type: ['object', 'null'],
          properties: { obtainToken: schemaReference('ObtainedToken') },
        },
        errors: ERRORS,
      },
    },
    ObtainedToken: {
      type: 'object',
      description: 'The requested fields of the token.',
      properties: {
        token: text('The access token, for the `Authorization` header.', OBTAINED_TOKEN.token),
        payload: schemaReference('TokenPayload'),
        refreshToken: text(
          'Obtains the next token without the API key. From then on use this one, not the token that you sent.',
          OBTAINED_TOKEN.refreshToken,
        ),
        refreshExpiresIn: unixTime('When the refresh token expires, in Unix seconds.', OBTAINED_TOKEN.refreshExpiresIn),
      },
    },
    TokenPayload: {
      type: 'object',
      description: 'The claims of the token. Take the times from here; you need not decode the token itself.',
      required: ['iss', 'sub', 'iat', 'exp', 'jti'],
      properties: {
        iss: text('Who issued it: causeway.', CLAIMS.iss),
        sub: text('The id of the API key.', CLAIMS.sub),
        org: text('The id of your organisation.', CLAIMS.org),
        staff: { type: 'boolean', description: 'True for a token of the service team.', examples: [true] },
        iat: unixTime('When it was issued, in Unix seconds.', CLAIMS.iat),
        exp: unixTime('When it expires, in Unix seconds.', CLAIMS.exp),
        jti: text('The id of the token.', CLAIMS.jti),
      },
    },
  };
}

function refusalSchemas(): Schemas {
  return {
    ObtainTokenRefusal: {
      type: 'object',
      description: 'Why there is no token.',
      required: ['errors'],
      properties: { errors: ERRORS },
    },
    ObtainTokenError: {
      type: 'object',
      description: 'One reason, in the shape of GraphQL errors.',
      required: ['message', 'extensions'],
      properties: {
        message: text('A sentence for people.', REFUSALS.invalidApiKey.errorDescription),
        path: { type: 'array', items: { type: ['string', 'integer'] }, description: 'The field of the document.' },
        locations: {
          type: 'array',
          description: 'Where in the document.',
          items: {
            type: 'object',
            required: ['line', 'column'],
            properties: { line: { type: 'integer' }, column: { type: 'integer' } },
          },
        },
        extensions: errorExtensions(),
      },
    },
  };
}

function errorExtensions(): oas31.SchemaObject {
  return {
    type: 'object',
    required: ['errorType', 'errorCode', 'errorDescription', 'documentationUrl'],
    properties: {
      errorType: text('The origin of the error: VALIDATION, AUTHORIZATION or APPLICATION.', 'AUTHORIZATION'),
      errorCode: {
        ...text('The kind of error, stable over time. New codes may be added.', REFUSALS.invalidApiKey.errorCode),
        'x-extensible-enum': Object.values(REFUSALS).map(({ errorCode }) => errorCode),
      },
      errorDescription: text('What the code means.', REFUSALS.invalidApiKey.errorDescription),
      documentationUrl: {
        ...text(
          'Where the code is described: a path of this service.',
          documentationUrl(REFUSALS.invalidApiKey.errorCode),
        ),
        format: 'uri-reference',
      },
    },
  };
}

function text(description: string, example: string): oas31.SchemaObject {
  return { type: 'string', description, examples: [example] };
}

function unixTime(description: string, example: number): oas31.SchemaObject {
  return { type: 'integer', description, examples: [example] };
}
