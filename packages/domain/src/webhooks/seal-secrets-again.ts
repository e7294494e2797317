import type { Database } from '@causeway/db';
import { SEAL_SECRETS_AGAIN, SEALED_SECRETS } from './seal-secrets-again.sql.ts';
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
