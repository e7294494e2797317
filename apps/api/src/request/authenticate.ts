import type { Database } from '@causeway/db';
import { type Actor, findActor } from '@causeway/domain';
import { LRUCache } from 'lru-cache';
import type { TokenClaims, Tokens } from './tokens.ts';
import { WireRefusal } from './wire-refusal.ts';

/**
 * A revoked key stops working within 5 seconds everywhere (behaviour 5.5); one second is left for the look-up itself.
 */
const KEY_REMEMBERED_FOR_MS = 4_000;
const MAX_TOKENS = 10_000;
const MAX_KEYS = 10_000;
const AUTHORIZATION = /^\s*(?:(?:token|bearer)\s+)?(\S+)\s*$/i;

/** The token in an Authorization header, in any of its forms; undefined if there is none. */
export function tokenIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : AUTHORIZATION.exec(header)?.[1];
}

/** Identifies the caller from the Authorization header. */
export interface Authenticator {
  /**
   * Accepts the bare token, `Token <token>` or `Bearer <token>` (behaviour 5.3). Throws `not_authenticated` without a
   * header, `token_expired`, and `authentication_failed` for anything else that is not a valid token of an active key.
   * A database failure is thrown unchanged.
   */
  authenticate(header: string | undefined): Promise<Actor>;
  /** Makes the next call look the key up again: for an instance that has just revoked it. */
  forget(apiKeyId: string): void;
}

interface KeyLookUp {
  startedAt: number;
  actor: Promise<Actor | undefined>;
}

/** Verified tokens and the keys behind them are remembered in bounded caches; neither outlives the token's expiry. */
export function createAuthenticator(deps: { database: Database; clock: () => Date; tokens: Tokens }): Authenticator {
  const { database, clock, tokens } = deps;
  const verified = new LRUCache<string, TokenClaims>({ max: MAX_TOKENS });
  const lookUps = new LRUCache<string, KeyLookUp>({ max: MAX_KEYS });

  async function claimsOf(token: string): Promise<TokenClaims> {
    const known = verified.get(token);
    if (known !== undefined && known.exp * 1000 > clock().getTime()) {
      return known;
    }
    verified.delete(token);
    const claims = await tokens.verify(token);
    verified.set(token, claims);
    return claims;
  }

  /** Concurrent calls share one look-up; its age counts from its start, because it reads the key as of then. */
  function actorOf(apiKeyId: string): Promise<Actor | undefined> {
    const now = clock().getTime();
    const known = lookUps.get(apiKeyId);
    const age = known === undefined ? Number.NaN : now - known.startedAt;
    if (known !== undefined && age >= 0 && age < KEY_REMEMBERED_FOR_MS) {
      return known.actor;
    }
    const lookUp = { startedAt: now, actor: findActor(database, apiKeyId) };
    lookUps.set(apiKeyId, lookUp);
    lookUp.actor.catch(() => {
      if (lookUps.peek(apiKeyId) === lookUp) {
        lookUps.delete(apiKeyId);
      }
    });
    return lookUp.actor;
  }

  return {
    async authenticate(header) {
      if (header === undefined || header.trim() === '') {
        throw new WireRefusal('not_authenticated', 'The Authorization header with a token is missing.');
      }
      const token = tokenIn(header);
      if (token === undefined) {
        throw new WireRefusal('authentication_failed', 'The Authorization header does not hold one token.');
      }
      const claims = await claimsOf(token);
      const actor = await actorOf(claims.sub);
      if (actor === undefined) {
        throw new WireRefusal('authentication_failed', 'The API key behind this token has been revoked.');
      }
      return actor;
    },
    forget(apiKeyId) {
      lookUps.delete(apiKeyId);
    },
  };
}
