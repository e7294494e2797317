import { randomBytes } from 'node:crypto';
import { type Database, fragment, type RowOf, sql } from '@causeway/db';
import type { Actor } from '../shared/actor.ts';
import { couldBeApiKey, secretDigest } from './api-key-text.ts';
import { actorOf } from './find-actor.ts';

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

const GRANT = {
  id: 'uuid',
  organisation_id: 'uuid | null',
  is_read_only: 'boolean',
  expires_at: 'timestamptz',
} as const;

// Each issue removes up to ten expired tokens, so that they never accumulate.
const EXPIRED = fragment`expired AS (
    DELETE FROM refresh_tokens
    WHERE digest IN (
      SELECT digest
      FROM refresh_tokens
      WHERE expires_at <= now()
      ORDER BY expires_at
      LIMIT 10
      FOR UPDATE SKIP LOCKED
    )
  )`;

const EXCHANGE_API_KEY = sql('exchange-api-key', GRANT)`
  WITH ${EXPIRED},
  owner AS (
    SELECT id, organisation_id, is_read_only, date_trunc('second', now() + interval '7 days') AS expires_at
    FROM api_keys
    WHERE digest = ${'key_digest'} AND revoked_at IS NULL
  ),
  issued AS (
    INSERT INTO refresh_tokens (digest, family, api_key_id, expires_at, family_expires_at)
    SELECT ${'token_digest'}, ${'token_digest'}, id, expires_at, date_trunc('second', now() + interval '30 days')
    FROM owner
  )
  SELECT id, organisation_id, is_read_only, expires_at
  FROM owner`;

/** An owner with the expiry of the token that was issued. */
type GrantRow = RowOf<typeof EXCHANGE_API_KEY>;

// The row of the presented token is locked before it is changed: of two concurrent uses, the second sees the times of
// the first. If a family ends concurrently, the next use of its newest token finds it ended.
const EXCHANGE_REFRESH_TOKEN = sql('exchange-refresh-token', GRANT)`
  WITH ${EXPIRED},
  before AS MATERIALIZED (
    SELECT digest, reused_at
    FROM refresh_tokens
    WHERE digest = ${'used_digest'} AND expires_at > now()
    FOR NO KEY UPDATE
  ),
  presented AS (
    UPDATE refresh_tokens AS token
    SET
      expires_at = token.family_expires_at,
      used_at = coalesce(token.used_at, now()),
      reused_at = coalesce(
        token.reused_at,
        CASE WHEN token.used_at <= now() - interval '10 minutes' THEN now() END
      )
    FROM before, api_keys AS key
    WHERE token.digest = before.digest
      AND key.id = token.api_key_id
      AND key.revoked_at IS NULL
    RETURNING
      key.id,
      key.organisation_id,
      key.is_read_only,
      token.family,
      token.family_expires_at,
      token.used_at,
      token.reused_at,
      before.reused_at IS NOT NULL AS had_ended
  ),
  audited AS (
    INSERT INTO audit_events (subject_id, subject, action, actor, request_id, caller_request_id, occurred_at)
    SELECT id, 'api_key', 'refresh_token_reused', 'service', ${'request_id'}, ${'caller_request_id'}, reused_at
    FROM presented
    WHERE reused_at IS NOT NULL AND NOT had_ended
  ),
  successor AS (
    SELECT id, organisation_id, is_read_only, family, family_expires_at,
      least(date_trunc('second', used_at + interval '7 days'), family_expires_at) AS expires_at
    FROM presented
    WHERE reused_at IS NULL AND NOT EXISTS (
      SELECT FROM refresh_tokens AS other
      WHERE other.family = presented.family AND other.reused_at IS NOT NULL
    )
  ),
  issued AS (
    INSERT INTO refresh_tokens (digest, family, api_key_id, expires_at, family_expires_at)
    SELECT ${'successor_digest'}, family, id, expires_at, family_expires_at
    FROM successor
    ON CONFLICT (digest) DO NOTHING
  )
  SELECT id, organisation_id, is_read_only, expires_at
  FROM successor`;
