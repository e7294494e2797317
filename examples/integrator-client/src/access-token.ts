import createClient from 'openapi-fetch';
import type { paths } from './generated/causeway-api.ts';

export interface Account {
  /** Where Causeway is: `https://causeway.example`. */
  url: string;
  /** The API key of your organisation. */
  apiKey: string;
}

const QUERY = `mutation ObtainToken($input: ObtainTokenInput!) {
  obtainToken(input: $input) { token payload }
}`;

// A token is replaced a minute before it expires, so that none expires on its way.
const RENEW_BEFORE_S = 60;

/** Returns the access token to send now; obtains one where none exists yet, or the last one is about to expire. */
export function accessTokens({ url, apiKey }: Account): () => Promise<string> {
  const client = createClient<paths>({ baseUrl: url });
  let current: Promise<{ token: string; expiresAt: number }> | undefined;

  async function obtain() {
    const { data, error } = await client.POST('/v1/graphql/', {
      body: { query: QUERY, variables: { input: { APIKey: apiKey } } },
    });
    const { token, payload } = data?.data?.obtainToken ?? {};
    if (token === undefined || payload === undefined) {
      const [refusal] = data?.errors ?? error?.errors ?? [];
      throw new Error(`No token: ${refusal?.extensions.errorCode} ${refusal?.message}`);
    }
    return { token, expiresAt: payload.exp };
  }

  return async () => {
    const known = await current?.catch(() => undefined);
    if (known === undefined || known.expiresAt - Date.now() / 1000 < RENEW_BEFORE_S) {
      current = obtain();
    }
    return (await current)?.token ?? '';
  };
}
