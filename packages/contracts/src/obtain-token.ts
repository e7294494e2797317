import { z } from 'zod';
import { TOKEN_CODES } from './error-codes/token-codes.ts';
import { documentationUrl } from './error-codes.ts';
import { documented, field, optional } from './field.ts';

/** The mutation, ready to send. */
export const TOKEN_QUERY =
  'mutation ObtainToken($input: ObtainTokenInput!) { obtainToken(input: $input) ' +
  '{ token payload refreshToken refreshExpiresIn } }';

const REFRESH_TOKEN = 'cw_refresh_the-refresh-token-of-this-example';
const ISSUED_AT = Date.parse('2026-04-17T09:30:12Z') / 1000;
const examplePayload = {
  iss: 'causeway' as const,
  sub: '7d4f0c1a-52b6-4f83-9a4e-1c2b8a5d6e90',
  org: '0b9c6a52-0f5e-4a6c-8f0e-6a3d1b7c2f41',
  iat: ISSUED_AT,
  exp: ISSUED_AT + 3600,
  jti: 'c1a7e0d2-93b4-4c58-b6f1-5e8d2a9c7034',
};
const exampleToken = {
  token: 'the-header.the-payload.the-signature',
  payload: examplePayload,
  refreshToken: REFRESH_TOKEN,
  refreshExpiresIn: ISSUED_AT + 7 * 24 * 3600,
};
const { errorType, errorCode, errorDescription } = TOKEN_CODES.invalidApiKey;
const exampleExtensions = { errorType, errorCode, errorDescription, documentationUrl: documentationUrl(errorCode) };
const text = (description: string, example: string) => field(z.string(), description, example);
const credential = (description: string, example: string) => optional(z.string().nullable(), description, example);
const time = (description: string, example: number) => field(z.int(), description, example);

/** What is exchanged for a token (behaviour 5.2). */
export type ObtainTokenInput = z.infer<typeof ObtainTokenInput>;
export const ObtainTokenInput = z
  .object({
    APIKey: credential(
      "Your organisation's API key, as the service team gave it to you; null is as if it was left out.",
      'cw_supplier_YOUR-API-KEY',
    ),
    refreshToken: credential('The refresh token of an earlier answer; null is as if it was left out.', REFRESH_TOKEN),
  })
  .meta({
    id: 'ObtainTokenInput',
    description: 'Exactly one of the two.',
    examples: [{ APIKey: 'cw_supplier_YOUR-API-KEY' }],
  });

export const ObtainTokenRequest = z
  .object({
    query: text('The GraphQL document: one operation.', TOKEN_QUERY),
    variables: optional(z.object({ input: ObtainTokenInput.optional() }), 'The variables of the document.'),
    operationName: text('The name of the operation, if it has one.', 'ObtainToken').optional(),
  })
  .apply(documented, 'ObtainTokenRequest', 'A GraphQL request.', 'operationName');

/** The claims of an access token (behaviour 5.4): its API key, the owner of that key, and the times in Unix seconds. */
export type TokenPayload = z.infer<typeof TokenPayload>;
export const TokenPayload = z
  .object({
    iss: field(z.literal('causeway'), 'Who issued it: causeway.', 'causeway'),
    sub: field(z.uuid(), 'The id of the API key.', examplePayload.sub),
    org: optional(z.uuid(), 'The id of your organisation.', examplePayload.org),
    staff: optional(z.literal(true), 'True for a token of the service team.', true),
    iat: time('When it was issued, in Unix seconds.', examplePayload.iat),
    exp: time('When it expires, in Unix seconds.', examplePayload.exp),
    jti: field(z.uuid(), 'The id of the token.', examplePayload.jti),
  })
  .meta({
    id: 'TokenPayload',
    description: 'The claims of the token. Take the times from here; you need not decode the token itself.',
    examples: [examplePayload],
  });

/** A token, and the refresh token for the next one. A field is answered if the query asks for it. */
export type ObtainedToken = Required<z.infer<typeof ObtainedToken>>;
export const ObtainedToken = z
  .object({
    token: text('The access token, for the `Authorization` header.', exampleToken.token),
    payload: TokenPayload,
    refreshToken: text(
      'Obtains the next token without the API key. From then on use this one, not the token that you sent.',
      REFRESH_TOKEN,
    ),
    refreshExpiresIn: time('When the refresh token expires, in Unix seconds.', exampleToken.refreshExpiresIn),
  })
  .partial()
  .apply(documented, 'ObtainedToken', 'The requested fields of the token.');

const Extensions = z.object({
  errorType: text('The origin of the error: VALIDATION, AUTHORIZATION or APPLICATION.', errorType),
  errorCode: z.string().meta({
    description: 'The kind of error, stable over time. New codes may be added.',
    examples: [errorCode],
    'x-extensible-enum': Object.values(TOKEN_CODES).map((code) => code.errorCode),
  }),
  errorDescription: text('What the code means.', errorDescription),
  documentationUrl: z.string().meta({
    description: 'Where the code is described: a path of this service.',
    examples: [exampleExtensions.documentationUrl],
    format: 'uri-reference',
  }),
});
const place = { line: 1, column: 12 };
const Place = z.object({ line: time('From 1.', place.line), column: time('From 1.', place.column) });
export const ObtainTokenError = z
  .object({
    message: text('A sentence for people.', errorDescription),
    path: optional(z.array(z.union([z.string(), z.int()])), 'The field of the document.', ['obtainToken']),
    locations: optional(z.array(Place), 'Where in the document.'),
    extensions: field(Extensions, 'The code.'),
  })
  .apply(documented, 'ObtainTokenError', 'One reason, in the shape of GraphQL errors.', 'locations');
const Errors = field(z.array(ObtainTokenError).min(1), 'Why there is no token.');

const exampleAnswer = { data: { obtainToken: exampleToken } };
const Data = z
  .object({ obtainToken: ObtainedToken.optional() })
  .nullable()
  .meta({ description: 'Null if there is no token.', examples: [exampleAnswer.data] });
export const ObtainTokenResponse = z.object({ data: Data.optional(), errors: Errors.optional() }).meta({
  id: 'ObtainTokenResponse',
  description: 'A token in `data` or, in `errors`, why there is no token.',
  examples: [exampleAnswer],
});

export const ObtainTokenRefusal = z
  .object({ errors: Errors })
  .apply(documented, 'ObtainTokenRefusal', 'Why there is no token.');
