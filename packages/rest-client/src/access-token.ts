import { obtainTokens, type Send, type Tokens } from './obtain-tokens.ts';

/** A token is replaced a minute before it expires, so that none expires on its way. */
const RENEW_BEFORE_MS = 60_000;

/** The token to send now: another one than `refused`, which the service has found expired. */
export type AccessToken = (refused?: string) => Promise<string>;

/** Obtains a token at the first call and keeps it while it is good; calls at the same time obtain one together. */
export function createAccessToken(url: string, apiKey: string, send?: Send): AccessToken {
  let known: Tokens | undefined;
  let pending: Promise<Tokens> | undefined;

  return async (refused) => {
    if (known !== undefined && known.token !== refused && !isExpiring(known)) return known.token;
    pending ??= obtainTokens(url, { apiKey }, send).finally(() => {
      pending = undefined;
    });
    known = await pending;
    return known.token;
  };
}

function isExpiring({ expiresAt }: Tokens): boolean {
  return Date.now() > expiresAt.getTime() - RENEW_BEFORE_MS;
}
