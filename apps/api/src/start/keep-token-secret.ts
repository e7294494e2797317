import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@causeway/db';
import { forgetStoredSecret, readStoredSecret } from '@causeway/domain';
import { keepSecret } from '@causeway/embedded-postgres';
import { MIN_SECRET_LENGTH } from '../http/tokens.ts';

/** The name under which earlier versions kept it in the database. */
const STORED_NAME = 'token_secret';

/**
 * The secret that signs tokens with the embedded database: generated at the first start and kept in a file of the data
 * directory that only its owner can read, so that the database or a copy of it does not reveal it. A secret that an
 * earlier version left in the database moves to the file. Services that start concurrently agree on one. A configured
 * secret takes precedence, and nothing is stored.
 */
export async function keepTokenSecret(
  database: Database,
  { tokenSecret, dataDirectory }: { tokenSecret?: string | undefined; dataDirectory: string },
): Promise<string> {
  const secret = tokenSecret ?? (await secretOf(database, path.join(dataDirectory, 'token-secret')));
  // Only now: a start that was killed before this leaves it for the next one.
  await forgetStoredSecret(database, STORED_NAME);
  return secret;
}

async function secretOf(database: Database, file: string): Promise<string> {
  // Others may traverse it: if started by root, the embedded database runs as another user.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o711 });
  const secret = await keepSecret(file, () => readStoredSecret(database, STORED_NAME));
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new Error(`The secret in ${file} is damaged: remove it, and all clients obtain new tokens.`);
  }
  return secret;
}
