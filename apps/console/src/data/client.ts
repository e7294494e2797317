import { createClient, failureOf } from '@causeway/client';
import { QueryClient } from '@tanstack/react-query';
import { accessToken, logOut } from '../session/session.ts';

/** Fewer than programs have: a person looks at the page, and the next poll comes soon. */
const ATTEMPTS = 2;

/** The service, with the token of anyone who is logged in. */
export const client = createClient({ url: location.origin, apiKey: accessToken, attempts: ATTEMPTS });

/** What was read is shown until newer data is there; repeats are the client's, not the cache's. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 1_000, networkMode: 'always', throwOnError: false },
    mutations: { retry: false, networkMode: 'always', onError: logOutIfRefused },
  },
});

queryClient.getQueryCache().config.onError = logOutIfRefused;

/** 401: the key was revoked, or the token is not known any more. */
function logOutIfRefused(error: unknown): void {
  const failure = failureOf(error);
  if (failure?.kind === 'key_refused' || (failure?.kind === 'refused' && failure.status === 401)) logOut();
}
