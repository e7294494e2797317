import type { AppRouter } from '@causeway/api/router';
import { type AccessToken, createAccessToken } from '@causeway/rest-client/portable';
import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCClient } from '@trpc/client';
import { isPage, pageLink } from './each-record.ts';
import { repeatLink } from './repeat-link.ts';
import { sendInTurn } from './send-in-turn.ts';

export interface ClientOptions {
  /** Where the service is: `http://127.0.0.1:3000`. */
  url: string;
  /**
   * A key of the service team or, for the data-import procedures only, of an organisation. In its place, where no key
   * is kept: what gives the token to send.
   */
  apiKey: string | AccessToken;
  /** How many requests, of one call or of a batch, are under way at once. Default: 8. */
  concurrency?: number;
  /** How long one request may take. Default: 30,000 ms. */
  timeoutMs?: number;
  /** How often a call is sent at most. Default: 5. */
  attempts?: number;
  /** Before the first repeat; it doubles with each. A Retry-After that is longer counts. Default: 200 ms. */
  firstPauseMs?: number;
}

export type CausewayClient = TRPCClient<AppRouter>;

const MAX_URL_LENGTH = 8_000;
// The service's limit; more concurrent calls are sent in several batches.
const MAX_BATCH_SIZE = 10;

/**
 * The typed client of internal tools: `client.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' })`. It
 * contains none of the server's code, only the types of its router. It batches concurrent calls, sends a few batches at
 * a time, obtains its token at the first call and renews it, and repeats what is worth it and safe (behaviour 19). A
 * failed call throws a TRPCClientError, which `failureOf` reads. `eachRecord` follows a list over its pages.
 *
 * A data-import call with `{ context: { idempotencyKey } }` is sent on its own; repeated with the same key, it gets its
 * first answer: `client.dataImport.importTransactions.mutate(input, { context: { idempotencyKey: randomUUID() } })`.
 */
export function createClient(options: ClientOptions): CausewayClient {
  const { url, apiKey, concurrency = 8, timeoutMs = 30_000, attempts = 5, firstPauseMs = 200 } = options;
  const send = sendInTurn({ concurrency, timeoutMs });
  const accessToken = typeof apiKey === 'function' ? apiKey : createAccessToken(url, apiKey, send);
  let refused: string | undefined;
  let current: string | undefined;

  async function authorization(): Promise<{ Authorization: string }> {
    current = await accessToken(refused);
    return { Authorization: `Token ${current}` };
  }

  const link = {
    url: new URL('/trpc', url).href,
    fetch: (address: Parameters<typeof fetch>[0], init?: object) => send(String(address), { ...init }),
  };
  return createTRPCClient<AppRouter>({
    links: [
      repeatLink({
        attempts,
        firstPauseMs,
        forgetToken: () => {
          refused = current;
        },
      }),
      pageLink,
      splitLink({
        condition: ({ context }) => typeof context.idempotencyKey === 'string' || isPage(context),
        true: httpLink({
          ...link,
          headers: async ({ op: { context } }) => ({
            ...(await authorization()),
            ...(typeof context.idempotencyKey === 'string' && { 'Idempotency-Key': context.idempotencyKey }),
          }),
        }),
        false: httpBatchLink({
          ...link,
          headers: authorization,
          maxURLLength: MAX_URL_LENGTH,
          maxItems: MAX_BATCH_SIZE,
        }),
      }),
    ],
  });
}
