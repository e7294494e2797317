import type { AppRouter } from '@causeway/api/router';
import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCClient } from '@trpc/client';
import { obtainToken, type Token } from './obtain-token.ts';

export interface ClientOptions {
  /** Where the service is: `http://127.0.0.1:3000`. */
  url: string;
  /** A key of the service team or, for the data-import procedures only, of an organisation. */
  apiKey: string;
}

export type CausewayClient = TRPCClient<AppRouter>;

// A token is replaced a minute before it expires, so that none expires in flight.
const RENEW_BEFORE_MS = 60_000;
const MAX_URL_LENGTH = 8_000;
// The service's limit; more concurrent calls are sent in several batches.
const MAX_BATCH_SIZE = 10;

/**
 * The typed client of internal tools: `client.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' })`. It
 * contains none of the server's code, only the types of its router. It batches concurrent calls, obtains its token at
 * the first call and renews it. A refused call throws a TRPCClientError, which `refusalOf` reads.
 *
 * A data-import call with `{ context: { idempotencyKey } }` is sent on its own; repeated with the same key, it gets its
 * first answer: `client.dataImport.importTransactions.mutate(input, { context: { idempotencyKey: randomUUID() } })`.
 */
export function createClient({ url, apiKey }: ClientOptions): CausewayClient {
  let current: Promise<Token> | undefined;

  async function authorization(): Promise<{ Authorization: string }> {
    const known = await current?.catch(() => undefined);
    if (known === undefined || known.expiresAt.getTime() - Date.now() < RENEW_BEFORE_MS) {
      current = obtainToken(url, apiKey);
    }
    return { Authorization: `Token ${(await current)?.token}` };
  }

  const procedures = new URL('/trpc', url).href;
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ context }) => typeof context.idempotencyKey === 'string',
        true: httpLink({
          url: procedures,
          headers: async ({ op }) => ({
            ...(await authorization()),
            'Idempotency-Key': String(op.context.idempotencyKey),
          }),
        }),
        false: httpBatchLink({
          url: procedures,
          headers: authorization,
          maxURLLength: MAX_URL_LENGTH,
          maxItems: MAX_BATCH_SIZE,
        }),
      }),
    ],
  });
}
