import { type Database, statement } from '@causeway/db';

const READ = statement('read-service-secret', 'SELECT value FROM service_secrets WHERE name = $1');
const FORGET = statement('forget-service-secret', 'DELETE FROM service_secrets WHERE name = $1');

/** A secret that an earlier version generated into the database, or undefined. Nothing is kept there any more. */
export async function readStoredSecret(database: Database, name: string): Promise<string | undefined> {
  const [secret] = await database.query<{ value: string }>(READ, [name]);
  return secret?.value;
}

/** Removes the secret of this name from the database, if it is there. */
export async function forgetStoredSecret(database: Database, name: string): Promise<void> {
  await database.query(FORGET, [name]);
}
