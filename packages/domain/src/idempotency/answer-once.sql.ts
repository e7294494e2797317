import { narrow, sql } from '@causeway/db';

/** Returns a row if the caller now holds the key. Each claim removes up to ten expired keys. */
export const CLAIM_KEY = sql('claim-idempotency-key')`
  WITH expired AS (
    DELETE FROM idempotency_keys
    WHERE id IN (
      SELECT id
      FROM idempotency_keys
      WHERE expires_at < ${'now'} AND id <> ${'id'}
      ORDER BY expires_at
      LIMIT 10
      FOR UPDATE SKIP LOCKED
    )
  ),
  claimed AS (
    INSERT INTO idempotency_keys AS kept
      (id, request_digest, claim, claimed_until, expires_at, account_import_id)
    VALUES
      (${'id'}, ${'request_digest'}, ${'claim'}, ${'claimed_until'}, ${'expires_at'}, ${'account_import_id'})
    ON CONFLICT (id) DO UPDATE SET
      request_digest = excluded.request_digest,
      claim = excluded.claim,
      claimed_until = excluded.claimed_until,
      expires_at = excluded.expires_at,
      account_import_id = excluded.account_import_id,
      status = NULL,
      headers = NULL,
      body = NULL
    WHERE kept.expires_at < ${'now'}
      OR (
        kept.status IS NULL
        AND kept.claimed_until < ${'now'}
        AND kept.request_digest = excluded.request_digest
      )
    RETURNING id
  )
  SELECT FROM claimed`;

export const READ_KEPT_ANSWER = sql('read-idempotency-key', {
  request_digest: 'bytea',
  status: 'integer | null',
  headers: narrow<Record<string, string> | null>('jsonb | null'),
  body: 'text | null',
  in_progress: 'boolean',
})`
  SELECT request_digest, status, headers, body, status IS NULL AND claimed_until >= ${'now'} AS in_progress
  FROM idempotency_keys
  WHERE id = ${'id'} AND expires_at >= ${'now'}`;

/** Returns a row unless the key was taken over meanwhile. */
export const KEEP_ANSWER = sql('keep-idempotent-answer', { id: 'uuid' })`
  UPDATE idempotency_keys
  SET status = ${'status'}, headers = ${'headers'}, body = ${'body'}
  WHERE id = ${'id'} AND claim = ${'claim'} AND status IS NULL
  RETURNING id`;

export const RELEASE_KEY = sql('release-idempotency-key')`
  DELETE FROM idempotency_keys
  WHERE id = ${'id'} AND claim = ${'claim'} AND status IS NULL`;
