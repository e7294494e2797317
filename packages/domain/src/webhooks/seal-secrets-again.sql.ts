import { sql } from '@causeway/db';

/** Only if nobody has rotated the secret meanwhile. */
export const SEAL_SECRETS_AGAIN = sql('seal-webhook-secrets-again')`
  UPDATE webhook_endpoints
  SET secret = ${'secret'}, previous_secret = ${'previous'}
  WHERE id = ${'id'} AND secret = ${'old_secret'}`;

export const SEALED_SECRETS = sql('sealed-webhook-secrets', {
  id: 'uuid',
  secret: 'bytea | null',
  previous_secret: 'bytea | null',
})`
  SELECT id, secret, previous_secret
  FROM webhook_endpoints
  WHERE deleted_at IS NULL`;
