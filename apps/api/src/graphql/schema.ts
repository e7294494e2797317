import { buildSchema, executeSync, getIntrospectionQuery, type IntrospectionOptions, parse } from 'graphql';

/** The published schema; its descriptions are the documentation of ObtainToken (behaviour 5.2). */
export const schema = buildSchema(`
"""Any JSON value."""
scalar JSON

type Query {
  """The version of the service that answers."""
  serviceVersion: String!
}

type Mutation {
  """
  Obtains an access token for the data import endpoints from an API key or from a refresh token. A document holds one
  obtainToken. Failed attempts are limited per client address, and calls per key and address: over a limit the answer is
  HTTP 429 with Retry-After. A valid key or refresh token is accepted however many attempts fail from its address; beyond ten times the limit, only one that this instance has accepted before.
  """
  obtainToken(input: ObtainTokenInput!): ObtainToken!
}

"""Exactly one of the two fields."""
input ObtainTokenInput {
  """The organisation's API key, as the service team gave it to you. Keep it secret."""
  APIKey: String
  """A refresh token from an earlier obtainToken. Using one gives a new one; see ObtainToken.refreshToken."""
  refreshToken: String
}

type ObtainToken {
  """The access token, valid for 60 minutes. Send it as the Authorization header, bare or after the word Token."""
  token: String!
  """What the token says: sub (the API key's id), org or staff, iat and exp (Unix times), iss and jti."""
  payload: JSON!
  """
  Obtains a further token without the API key, for 7 days. Using it returns its successor; use that one from then on. A
  client that lost the answer may use it again for 10 more minutes, and gets the same successor. Any use after that ends
  the successors too. 30 days after the first one of the line the API key is needed again. Revoking that ends all at once.
  """
  refreshToken: String!
  """When the refresh token expires, as a Unix time in seconds."""
  refreshExpiresIn: Int!
}
`);

/** The depths of nested types in the queries of graphql-js releases. */
const TYPE_DEPTHS = [7, 9];
const OPTIONS = [
  ...['descriptions', 'specifiedByUrl', 'directiveIsRepeatable', 'schemaDescription', 'inputValueDeprecation', 'oneOf'],
] as const satisfies readonly (keyof IntrospectionOptions)[];
const MAX_QUERY_LENGTH = 8_000;

type Answer = { query: string; bytes?: Buffer };

const answers = new Map<string, Answer>();
for (let choice = 0; choice < 2 ** OPTIONS.length; choice += 1) {
  const chosen = Object.fromEntries(OPTIONS.map((option, bit) => [option, (choice & (1 << bit)) !== 0]));
  for (const typeDepth of TYPE_DEPTHS) {
    const query = getIntrospectionQuery({ ...chosen, typeDepth });
    answers.set(withoutSpace(query), { query });
  }
}

/**
 * The answer to a standard introspection query, built once; undefined for any other document. The queries are those of
 * graphql-js with each of its options, in any layout.
 */
export function standardIntrospection(query: string): Buffer | undefined {
  if (query.length > MAX_QUERY_LENGTH || !query.includes('__schema')) return undefined;
  const answer = answers.get(withoutSpace(query));
  if (answer === undefined) return undefined;
  answer.bytes ??= Buffer.from(JSON.stringify(executeSync({ schema, document: parse(answer.query) })));
  return answer.bytes;
}

function withoutSpace(query: string): string {
  return query
    .replace(/[\s,]+/g, ' ')
    .replace(/ ?([{}():]) ?/g, '$1')
    .trim();
}
