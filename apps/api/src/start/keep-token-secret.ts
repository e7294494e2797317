import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { keepSecret } from '@causeway/embedded-postgres';
import { MIN_SECRET_LENGTH } from '../http/tokens.ts';

/**
 * The secret that signs tokens with the embedded database: generated at the first start and kept in a file of the data
 * directory that only its owner can read, so that the database or a copy of it does not reveal it. Services that start
 * concurrently agree on one. A configured secret takes precedence, and nothing is stored.
 */
export async function keepTokenSecret({
  tokenSecret,
  dataDirectory,
}: {
  tokenSecret?: string | undefined;
  dataDirectory: string;
}): Promise<string> {
  if (tokenSecret !== undefined) return tokenSecret;
  const file = path.join(dataDirectory, 'token-secret');
  // Others may traverse it: if started by root, the embedded database runs as another user.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o711 });
  const secret = await keepSecret(file);
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new Error(`The secret in ${file} is damaged: remove it, and all clients obtain new tokens.`);
  }
  return secret;
}
