import {
  ObtainTokenInput,
  ObtainTokenResponse,
  TOKEN_CODES,
  TOKEN_QUERY,
  type TokenCodeName,
} from '@causeway/contracts';
import type { oas31 } from 'zod-openapi';
import { extensionsOf } from '../graphql/refusals.ts';
import { headers, json } from './components.ts';
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
          api_key: requestExample('With the API key', 'APIKey'),
          refresh_token: requestExample('With a refresh token', 'refreshToken'),
        }),
      },
      responses: Object.fromEntries(refused.map(([status, refusals]) => [String(status), response(status, refusals)])),
    },
  };
}

const DESCRIPTION = `Exchanges your API key, or a refresh token, for an access token that is valid for 60 minutes.

This is GraphQL: the body has a \`query\` and its \`variables\`, and a refusal is in \`errors\`, often with status
200, so look there first. \`errors[0].extensions.errorCode\` is stable. A document holds one \`obtainToken\`; the schema can
be asked for by introspection. Failed attempts are limited to 60 a minute for each client address, and to 20 for each key;
what others do behind your address does not lock your key out, unless it is more than 600 failures a minute.
Tokens are limited to 300 a minute for each key.

The refresh token spares you keeping the API key at hand. It is valid for 7 days. Using it returns its successor: use that
one from then on. If you lost the answer, use it again within 10 minutes: you get the same successor. A use after that
shows that two hold the token, so it ends the token and all its successors. 30 days after the token that the API key
returned, the API key is needed again. Revoking the API key ends all of them.

Asking again with the API key is harmless: each answer is a token of its own, and earlier ones stay valid. So it takes no
\`Idempotency-Key\`.`;

function requestExample(summary: string, name: keyof ObtainTokenInput): oas31.ExampleObject {
  const [example] = ObtainTokenInput.shape[name].unwrap().meta()?.examples ?? [];
  return { summary, value: { query: TOKEN_QUERY, variables: { input: { [name]: example } } } };
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
          token: { summary: 'A token', value: ObtainTokenResponse.meta()?.examples?.[0] },
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
