import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type Database, sql } from '@causeway/db';

/** Encrypts what must be known again and must not be read in the database (behaviour 28.3). */
export interface SecretBox {
  seal(text: string): Buffer;
  /** Undefined if neither secret opens it. `isOld`: only the former one does, so that it is to be sealed again. */
  open(sealed: Uint8Array): { text: string; isOld: boolean } | undefined;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'causeway: the key that encrypts the secrets of webhook endpoints';

const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32));

/**
 * Encrypts with a key that is derived from the secret that signs tokens, as that of reports is (docs/decisions/0023):
 * all instances have it, and no database. What was sealed with `otherSecret` can be opened too.
 */
export function createSecretBox(secret: string, otherSecret?: string): SecretBox {
  const key = keyOf(secret);
  const otherKey = otherSecret === undefined ? undefined : keyOf(otherSecret);
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const text = opened(key, sealed);
      if (text !== undefined) return { text, isOld: false };
      const old = otherKey && opened(otherKey, sealed);
      return old === undefined ? undefined : { text: old, isOld: true };
    },
  };
}

function opened(key: Buffer, sealed: Uint8Array): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}

/** A new secret, as Standard Webhooks writes it: 32 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

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
