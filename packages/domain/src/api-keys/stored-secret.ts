import { type Database, sql } from '@causeway/db';

/** A secret that an earlier version generated into the database, or undefined. New secrets are not stored there. */
export async function readStoredSecret(database: Database, name: string): Promise<string | undefined> {
  const [secret] = await database.query(READ_SECRET, { name });
  return secret?.value;
}

/** Removes the secret of this name from the database, if it exists. */
export async function forgetStoredSecret(database: Database, name: string): Promise<void> {
  await database.query(FORGET_SECRET, { name });
}

const READ_SECRET = sql('read-service-secret', { value: 'text' })`
  SELECT value
  FROM service_secrets
  WHERE name = ${'name'}`;

const FORGET_SECRET = sql('forget-service-secret')`
  DELETE FROM service_secrets
  WHERE name = ${'name'}`;
