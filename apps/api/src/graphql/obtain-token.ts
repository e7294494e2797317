import type { Database } from '@causeway/db';
import { exchangeRefreshToken, issueRefreshToken, type RefreshGrant, verifyApiKey } from '@causeway/domain';
import type { TokenClaims, Tokens } from '../authentication/tokens.ts';
import type { Attempt, AttemptLimiter } from './attempt-limiter.ts';
import { Refusal, type RefusalName } from './refusals.ts';

export interface ObtainTokenDependencies {
  database: Database;
  clock: () => Date;
  tokens: Tokens;
  limiter: AttemptLimiter;
}

export interface ObtainTokenInput {
  APIKey?: string | null;
  refreshToken?: string | null;
}

export interface ObtainedToken {
  token: string;
  payload: TokenClaims;
  refreshToken: string;
  /** Unix time in seconds. */
  refreshExpiresIn: number;
}

/**
 * An access token for an API key or a refresh token (specification 5, design 4.2), with a refresh token for the next one.
 * Throws a `Refusal`: `notOneCredential`, `tooManyFailures` with the seconds to wait, `invalidApiKey` or
 * `invalidRefreshToken`. Failed attempts alone count towards the limit.
 */
export async function obtainToken(
  deps: ObtainTokenDependencies,
  input: ObtainTokenInput,
  address: string,
): Promise<ObtainedToken> {
  const { credential, refusalName, grantOf } = oneCredential(input);
  const attempt: Attempt = { address, credential };
  refuseAfter(await deps.limiter.waitBefore(attempt));

  const grant = await grantOf(deps, credential);
  if (grant === undefined) {
    refuseAfter(await deps.limiter.countFailure(attempt));
    throw new Refusal(refusalName);
  }
  await deps.limiter.rememberSuccess(attempt);

  const { token, claims } = await deps.tokens.issue(grant.actor);
  return {
    token,
    payload: claims,
    refreshToken: grant.refreshToken,
    refreshExpiresIn: Math.floor(grant.expiresAt.getTime() / 1000),
  };
}

interface Credential {
  credential: string;
  refusalName: RefusalName;
  grantOf(deps: ObtainTokenDependencies, credential: string): Promise<RefreshGrant | undefined>;
}

function oneCredential({ APIKey: apiKey, refreshToken }: ObtainTokenInput): Credential {
  if (typeof apiKey === 'string' && typeof refreshToken !== 'string') {
    return { credential: apiKey, refusalName: 'invalidApiKey', grantOf: grantOfApiKey };
  }
  if (typeof refreshToken === 'string' && typeof apiKey !== 'string') {
    return { credential: refreshToken, refusalName: 'invalidRefreshToken', grantOf: grantOfRefreshToken };
  }
  throw new Refusal('notOneCredential');
}

async function grantOfApiKey(deps: ObtainTokenDependencies, apiKey: string): Promise<RefreshGrant | undefined> {
  const actor = await verifyApiKey(deps.database, apiKey);
  return actor && issueRefreshToken(deps.database, deps.clock(), actor);
}

function grantOfRefreshToken(deps: ObtainTokenDependencies, refreshToken: string): Promise<RefreshGrant | undefined> {
  return exchangeRefreshToken(deps.database, deps.clock(), refreshToken);
}

function refuseAfter(waitS: number | undefined): void {
  if (waitS !== undefined) {
    throw new Refusal('tooManyFailures', waitS);
  }
}
