import { setTimeout as delay } from 'node:timers/promises';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { type Account, accessTokens } from './access-token.ts';
import type { paths } from './generated/causeway-api.ts';

export type CausewayClient = Client<paths>;

const MAX_ATTEMPTS = 5;
/** The statuses after which the same request is sent again, as the reference page says. */
const PASSING = new Set([408, 409, 429, 500, 503]);

/**
 * A client of the whole interface, typed by the published document. It authenticates by itself, and sends a request
 * again when its failure will pass: give every POST an Idempotency-Key, and that is safe whatever happened to the first
 * one.
 */
export function createCausewayClient(account: Account): CausewayClient {
  const accessToken = accessTokens(account);
  const authenticate: Middleware = {
    async onRequest({ request }) {
      request.headers.set('Authorization', `Token ${await accessToken()}`);
    },
    onResponse({ response }) {
      const undocumented = response.headers.get('Undocumented-Fields');
      if (undocumented !== null) {
        process.emitWarning(`Causeway does not know these fields: ${undocumented}`);
      }
    },
  };
  const client = createClient<paths>({ baseUrl: account.url, fetch: sendPatiently });
  client.use(authenticate);
  return client;
}

async function sendPatiently(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(request.clone()).catch((error: unknown) => error as Error);
    const isFinal = answer instanceof Response && !PASSING.has(answer.status);
    if (isFinal || attempt === MAX_ATTEMPTS) {
      if (answer instanceof Response) {
        return answer;
      }
      throw answer;
    }
    const wanted = answer instanceof Response ? Number(answer.headers.get('Retry-After')) : 0;
    await delay(wanted > 0 ? wanted * 1000 : 100 * 2 ** attempt);
  }
}
