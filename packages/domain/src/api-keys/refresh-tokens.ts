import { randomBytes } from 'node:crypto';
import type { Database } from '@causeway/db';
import type { Actor } from '../context.ts';
import { couldBeApiKey, secretDigest } from './api-key-text.ts';
import { actorOf } from './find-actor.ts';
import { EXCHANGE_API_KEY, EXCHANGE_REFRESH_TOKEN, type GrantRow } from './refresh-tokens.sql.ts';

/** A refresh token, shown once; only its digest is stored. */
export interface RefreshGrant {
  actor: Actor;
  refreshToken: string;
  /** In whole seconds. */
  expiresAt: Date;
}

/** The result of an exchange, and the request in which it happens: the audit event of a stolen token names it. */
export interface RefreshRequest {
  /** Must be a function of the token that only this service can compute. */
  successorBytes: Buffer;
  requestId: string;
  callerRequestId?: string | undefined;
}

const REFRESH_TOKEN = /^cw_refresh_[\w-]{43}$/;

/**
 * A refresh token for an API key, valid for 7 days, the first of its family; undefined if the key is not active. One
 * statement finds the key and stores the token. A mistyped key is detected by its checksum, without a query. A database
 * failure is thrown unchanged.
 */
export async function exchangeApiKey(database: Database, apiKey: string): Promise<RefreshGrant | undefined> {
  if (!couldBeApiKey(apiKey)) return undefined;
  const refreshToken = refreshTokenOf(randomBytes(32));
  const values = { key_digest: secretDigest(apiKey), token_digest: secretDigest(refreshToken) };
  return grantOf(refreshToken, await database.query(EXCHANGE_API_KEY, values));
}

/**
 * Exchanges a refresh token for its successor; undefined if it is unknown or expired, or its key or its family was
 * revoked. Uses the database clock.
 *
 * - All uses within 10 minutes of the first one, concurrent ones included, give the same successor, so that a client
 *   that lost the answer can retry although only digests are stored.
 * - A later use means that two parties have the token: it ends the whole family, whichever used it first, and is
 *   recorded in the audit trail of the key.
 * - A family ends 30 days after its first token, even if it is refreshed.
 */
export async function exchangeRefreshToken(
  database: Database,
  used: string,
  request: RefreshRequest,
): Promise<RefreshGrant | undefined> {
  if (!REFRESH_TOKEN.test(used)) return undefined;
  const successor = refreshTokenOf(request.successorBytes);
  const values = {
    used_digest: secretDigest(used),
    successor_digest: secretDigest(successor),
    request_id: request.requestId,
    caller_request_id: request.callerRequestId ?? null,
  };
  return grantOf(successor, await database.query(EXCHANGE_REFRESH_TOKEN, values));
}

function refreshTokenOf(bytes: Buffer): string {
  return `cw_refresh_${bytes.toString('base64url')}`;
}

function grantOf(refreshToken: string, [owner]: GrantRow[]): RefreshGrant | undefined {
  return owner && { actor: actorOf(owner), refreshToken, expiresAt: owner.expires_at };
}
