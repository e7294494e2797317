import type { ObtainedToken, ObtainTokenInput, TokenCodeName } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { exchangeApiKey, exchangeRefreshToken, type RefreshGrant } from '@causeway/domain';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Tokens } from '../http/tokens.ts';
import type { Attempt, AttemptLimiter } from './attempt-limiter.ts';
import { GraphqlRefusal } from './refusals.ts';

export interface ObtainTokenDependencies {
  database: Database;
  tokens: Tokens;
  limiter: AttemptLimiter;
  facts: Pick<RequestFacts, 'requestId' | 'callerRequestId'>;
}

/**
 * An access token for an API key or a refresh token (behaviour 5), with a refresh token for the next one. A valid
 * credential is admitted despite other failures at its address, within the bounds of `AttemptLimiter`, and costs one
 * statement. Throws a `GraphqlRefusal`: `notOneCredential`, `invalidApiKey`, `invalidRefreshToken`; or `tooManyFailures` or
 * `tooManyCalls` with the seconds to wait.
 */
export async function obtainToken(
  deps: ObtainTokenDependencies,
  input: ObtainTokenInput,
  address: string,
): Promise<ObtainedToken> {
  const { credential, refusalName, grantOf } = oneCredential(input);
  const attempt: Attempt = { address, credential };
  deps.limiter.refuseUnlookedAt(attempt);

  const grant = await grantOf(deps, credential);
  if (grant === undefined) {
    await deps.limiter.countFailure(attempt);
    throw new GraphqlRefusal(refusalName);
  }
  const { actor, refreshToken, expiresAt } = grant;
  deps.limiter.countSuccess(attempt, actor.apiKeyId, [credential, refreshToken]);

  const { token, claims } = await deps.tokens.issue(actor);
  return { token, payload: claims, refreshToken, refreshExpiresIn: Math.floor(expiresAt.getTime() / 1000) };
}

interface Credential {
  credential: string;
  refusalName: TokenCodeName;
  grantOf(deps: ObtainTokenDependencies, credential: string): Promise<RefreshGrant | undefined>;
}

function oneCredential({ APIKey: apiKey, refreshToken }: ObtainTokenInput): Credential {
  if (typeof apiKey === 'string' && typeof refreshToken !== 'string') {
    return { credential: apiKey, refusalName: 'invalidApiKey', grantOf: grantOfApiKey };
  }
  if (typeof refreshToken === 'string' && typeof apiKey !== 'string') {
    return { credential: refreshToken, refusalName: 'invalidRefreshToken', grantOf: grantOfRefreshToken };
  }
  throw new GraphqlRefusal('notOneCredential');
}

function grantOfApiKey({ database }: ObtainTokenDependencies, apiKey: string): Promise<RefreshGrant | undefined> {
  return exchangeApiKey(database, apiKey);
}

function grantOfRefreshToken(
  { database, tokens, facts }: ObtainTokenDependencies,
  refreshToken: string,
): Promise<RefreshGrant | undefined> {
  const { requestId, callerRequestId } = facts;
  const successorBytes = tokens.successorOf(refreshToken);
  return exchangeRefreshToken(database, refreshToken, { successorBytes, requestId, callerRequestId });
}
