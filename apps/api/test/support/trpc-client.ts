import { LIMITS } from '@causeway/contracts';
import { obtainTokens } from '@causeway/rest-client';
import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '../../src/procedures/router.ts';

export type TrpcClient = TRPCClient<AppRouter>;

/** The typed client of a test, with a token that it keeps or asks for. packages/client is tested in its own package. */
export function trpcClient(url: string, token: string | (() => Promise<string>)): TrpcClient {
  const current = typeof token === 'string' ? () => token : token;
  const headers = async () => ({ Authorization: `Token ${await current()}` });
  return createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${url}/trpc`, headers, maxItems: LIMITS.batch })],
  });
}

/** Exchanges an API key for a token (behaviour 5). */
export async function obtainToken(url: string, apiKey: string): Promise<string> {
  const { token } = await obtainTokens(url, { apiKey });
  return token;
}
