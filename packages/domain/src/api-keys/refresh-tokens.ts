import { randomBytes } from 'node:crypto';
import { type Database, statement } from '@causeway/db';
import type { Actor } from '../context.ts';
import { couldBeApiKey, secretDigest } from './api-key-text.ts';
import { actorOf, type KeyOwner } from './find-actor.ts';

/** A refresh token, shown once; only its digest is stored. */
export interface RefreshGrant {
  actor: Actor;
  refreshToken: string;
  /** In whole seconds. */
  expiresAt: Date;
}

/** What a refresh token is exchanged for, and the request in which: the event of a stolen one names it. */
export interface RefreshRequest {
  /** Must be a function of the token that nobody else can compute. */
  successorBytes: Buffer;
  requestId: string;
  callerRequestId?: string | undefined;
}

/** An owner with the expiry of the token that was issued. */
type GrantRow = KeyOwner & { expires_at: Date };

const REFRESH_TOKEN = /^cw_refresh_[\w-]{43}$/;

// Each issue takes away up to ten that have expired, so that they never pile up.
const FORGET_EXPIRED = `DELETE FROM refresh_tokens WHERE digest IN (
    SELECT digest FROM refresh_tokens WHERE expires_at <= now() ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED
  )`;

const EXCHANGE_API_KEY = statement(
  'exchange-api-key',
  `WITH expired AS (${FORGET_EXPIRED}),
  owner AS (
    SELECT id, organisation_id, date_trunc('second', now() + interval '7 days') AS expires_at
    FROM api_keys WHERE digest = $1 AND revoked_at IS NULL
  ),
  issued AS (
    INSERT INTO refresh_tokens (digest, family, api_key_id, expires_at, family_expires_at)
    SELECT $2, $2, id, expires_at, date_trunc('second', now() + interval '30 days') FROM owner
  )
  SELECT id, organisation_id, expires_at FROM owner`,
);

// The row of the presented token is locked by its UPDATE: of two uses at once, the second one sees the first one's time.
// A family that ends at the same moment is found ended when its newest token is used.
const EXCHANGE_REFRESH_TOKEN = statement(
  'exchange-refresh-token',
  `WITH expired AS (${FORGET_EXPIRED}),
  presented AS (
    UPDATE refresh_tokens AS token SET
      family = coalesce(token.family, token.digest),
      family_expires_at = coalesce(token.family_expires_at, token.expires_at + interval '23 days'),
      expires_at = coalesce(token.family_expires_at, token.expires_at + interval '23 days'),
      used_at = coalesce(token.used_at, now()),
      reused_at = coalesce(
        token.reused_at,
        CASE WHEN token.used_at <= now() - interval '10 minutes' THEN now() END
      )
    FROM api_keys AS key
    WHERE token.digest = $1 AND token.expires_at > now() AND key.id = token.api_key_id AND key.revoked_at IS NULL
    RETURNING key.id, key.organisation_id, token.family, token.family_expires_at, token.used_at, token.reused_at
  ),
  audited AS (
    INSERT INTO audit_events (subject_id, subject, action, actor, request_id, caller_request_id, occurred_at)
    SELECT id, 'api_key', 'refresh_token_reused', 'service', $3, $4, reused_at FROM presented
    WHERE reused_at = now()::timestamptz(3)
  ),
  successor AS (
    SELECT id, organisation_id, family, family_expires_at,
      least(date_trunc('second', used_at + interval '7 days'), family_expires_at) AS expires_at
    FROM presented
    WHERE reused_at IS NULL AND NOT EXISTS (
      SELECT FROM refresh_tokens AS other WHERE other.family = presented.family AND other.reused_at IS NOT NULL
    )
  ),
  issued AS (
    INSERT INTO refresh_tokens (digest, family, api_key_id, expires_at, family_expires_at)
    SELECT $2, family, id, expires_at, family_expires_at FROM successor
    ON CONFLICT (digest) DO NOTHING
  )
  SELECT id, organisation_id, expires_at FROM successor`,
);

/**
 * A refresh token for an API key, valid for 7 days, the first one of a family; undefined where the key is not one in
 * force. One statement finds the key and stores the token. A mistyped key is told by its checksum, without a query. A
 * failure of the database is thrown as it is.
 */
export async function exchangeApiKey(database: Database, apiKey: string): Promise<RefreshGrant | undefined> {
  if (!couldBeApiKey(apiKey)) return undefined;
  const refreshToken = refreshTokenOf(randomBytes(32));
  const values = [secretDigest(apiKey), secretDigest(refreshToken)];
  return grantOf(refreshToken, await database.query<GrantRow>(EXCHANGE_API_KEY, values));
}

/**
 * Exchanges a refresh token for its successor, or undefined where it is unknown or expired, or its key or its family was
 * revoked. The database's clock decides.
 *
 * - The successor is the same however often and however many times at once the token is used within 10 minutes of its
 *   first use, so that a client that lost the answer asks again, and nothing but digests is stored.
 * - A use after that means that two hold the token: it ends the whole family, whoever of them came first, and is
 *   recorded in the audit trail of the key.
 * - A family ends 30 days after its first token, whatever is refreshed.
 */
export async function exchangeRefreshToken(
  database: Database,
  used: string,
  request: RefreshRequest,
): Promise<RefreshGrant | undefined> {
  if (!REFRESH_TOKEN.test(used)) return undefined;
  const { successorBytes, requestId, callerRequestId = null } = request;
  const successor = refreshTokenOf(successorBytes);
  const values = [secretDigest(used), secretDigest(successor), requestId, callerRequestId];
  return grantOf(successor, await database.query<GrantRow>(EXCHANGE_REFRESH_TOKEN, values));
}

function refreshTokenOf(bytes: Buffer): string {
  return `cw_refresh_${bytes.toString('base64url')}`;
}

function grantOf(refreshToken: string, [owner]: GrantRow[]): RefreshGrant | undefined {
  return owner && { actor: actorOf(owner), refreshToken, expiresAt: owner.expires_at };
}
