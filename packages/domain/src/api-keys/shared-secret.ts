import { randomBytes } from 'node:crypto';
import { type Database, statement } from '@causeway/db';

const PROPOSE = statement(
  'propose-service-secret',
  'INSERT INTO service_secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
);
const READ = statement('read-service-secret', 'SELECT value FROM service_secrets WHERE name = $1');

/** The secret of this name that all instances share: 256 random bits in base64url, made by whichever asks first. */
export async function sharedSecret(database: Database, name: string): Promise<string> {
  await database.query(PROPOSE, [name, randomBytes(32).toString('base64url')]);
  const [secret] = await database.query<{ value: string }>(READ, [name]);
  if (secret === undefined) {
    throw new Error(`The service secret ${name} vanished while it was read.`);
  }
  return secret.value;
}
