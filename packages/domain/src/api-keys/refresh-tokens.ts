import { randomBytes } from 'node:crypto';
import { type Database, statement } from '@causeway/db';
import type { Actor } from '../context.ts';
import { secretDigest } from './api-key-text.ts';
import { actorOf, type KeyOwner } from './find-actor.ts';

/** A new refresh token, shown once; only its digest is stored. */
export interface RefreshGrant {
  actor: Actor;
  refreshToken: string;
  /** In whole seconds. */
  expiresAt: Date;
}

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const GRACE_MS = 10 * 60 * 1000;

// Each issue takes away up to ten that have expired, so that they never pile up.
const FORGET_EXPIRED = `DELETE FROM refresh_tokens WHERE digest IN (
    SELECT digest FROM refresh_tokens WHERE expires_at <= $2 ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED
  )`;

const ISSUE = statement(
  'issue-refresh-token',
  `WITH expired AS (${FORGET_EXPIRED})
  INSERT INTO refresh_tokens (digest, expires_at, api_key_id) VALUES ($1, $3, $4)`,
);

const EXCHANGE = statement(
  'exchange-refresh-token',
  `WITH expired AS (${FORGET_EXPIRED}),
  used AS (
    UPDATE refresh_tokens AS token SET expires_at = least(token.expires_at, $5)
    FROM api_keys AS key
    WHERE token.digest = $4 AND token.expires_at > $2 AND key.id = token.api_key_id AND key.revoked_at IS NULL
    RETURNING key.id, key.organisation_id
  ),
  issued AS (INSERT INTO refresh_tokens (digest, expires_at, api_key_id) SELECT $1, $3, id FROM used)
  SELECT id, organisation_id FROM used`,
);

/** A refresh token for a key that has just been verified, good for 7 days (design 4.2). */
export async function issueRefreshToken(database: Database, now: Date, actor: Actor): Promise<RefreshGrant> {
  const { refreshToken, expiresAt } = newRefreshToken(now);
  await database.query(ISSUE, [secretDigest(refreshToken), now, expiresAt, actor.apiKeyId]);
  return { actor, refreshToken, expiresAt };
}

/**
 * Exchanges a refresh token for a new one, or undefined where it is unknown or expired or its key was revoked. The old one
 * keeps working for 10 minutes at most: a client that lost the answer asks again, and what was used does not pile up.
 */
export async function exchangeRefreshToken(
  database: Database,
  now: Date,
  used: string,
): Promise<RefreshGrant | undefined> {
  const { refreshToken, expiresAt } = newRefreshToken(now);
  const graceEndsAt = new Date(now.getTime() + GRACE_MS);
  const values = [secretDigest(refreshToken), now, expiresAt, secretDigest(used), graceEndsAt];
  const [owner] = await database.query<KeyOwner>(EXCHANGE, values);
  return owner && { actor: actorOf(owner), refreshToken, expiresAt };
}

function newRefreshToken(now: Date): { refreshToken: string; expiresAt: Date } {
  const expiresAt = new Date(Math.floor((now.getTime() + LIFETIME_MS) / 1000) * 1000);
  return { refreshToken: `cw_refresh_${randomBytes(32).toString('base64url')}`, expiresAt };
}
