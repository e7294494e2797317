import { type Database, sql } from '@causeway/db';
import type { SecretBox } from './secret-box.ts';

/**
 * Encrypts the secrets of endpoints anew that only the former secret of the service reads (behaviour 28.3), so that it is
 * not needed any more.
 */
export async function sealSecretsAgain(database: Database, secrets: SecretBox): Promise<void> {
  const sealedAgain = (sealed: Uint8Array | null) => {
    const opened = sealed === null ? undefined : secrets.open(sealed);
    return opened?.isOld ? secrets.seal(opened.text) : sealed;
  };
  for (const { id, secret, previous_secret } of await database.query(SEALED_SECRETS, {})) {
    const [again, previous] = [sealedAgain(secret), sealedAgain(previous_secret)];
    if (again === secret && previous === previous_secret) continue;
    await database.query(SEAL_SECRETS_AGAIN, { id, secret: again, previous, old_secret: secret });
  }
}

/** Only if nobody has rotated the secret meanwhile. */
const SEAL_SECRETS_AGAIN = sql('seal-webhook-secrets-again')`
  UPDATE webhook_endpoints
  SET secret = ${'secret'}, previous_secret = ${'previous'}
  WHERE id = ${'id'} AND secret = ${'old_secret'}`;

const SEALED_SECRETS = sql('sealed-webhook-secrets', {
  id: 'uuid',
  secret: 'bytea | null',
  previous_secret: 'bytea | null',
})`
  SELECT id, secret, previous_secret
  FROM webhook_endpoints
  WHERE deleted_at IS NULL`;
