/** A token for the Authorization header, and when it stops working. */
export interface Token {
  token: string;
  expiresAt: Date;
}

const OBTAIN_TOKEN = `mutation ($apiKey: String!) {
  obtainToken(input: { APIKey: $apiKey }) { token payload }
}`;

interface ObtainTokenResult {
  data?: { obtainToken: { token: string; payload: { exp: number } } } | null;
  errors?: { message: string; extensions?: { errorCode?: string } }[];
}

/**
 * Exchanges an API key for a token (behaviour 5). If it is refused, throws an Error with the service's own message. Not
 * from packages/rest-client: a bundle of this client holds its own code and tRPC's, nothing else (19.1).
 */
export async function obtainToken(url: string, apiKey: string): Promise<Token> {
  const response = await fetch(new URL('/v1/graphql/', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: OBTAIN_TOKEN, variables: { apiKey } }),
  });
  const { data, errors } = (await response.json()) as ObtainTokenResult;
  if (!data) {
    const [error] = errors ?? [];
    throw new Error(
      `No token: ${error?.message ?? `status ${response.status}`} (${error?.extensions?.errorCode ?? ''})`,
    );
  }
  const { token, payload } = data.obtainToken;
  return { token, expiresAt: new Date(payload.exp * 1000) };
}
