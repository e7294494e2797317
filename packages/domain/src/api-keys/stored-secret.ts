import type { Database } from '@causeway/db';
import { FORGET_SECRET, READ_SECRET } from './stored-secret.sql.ts';

/** A secret that an earlier version generated into the database, or undefined. New secrets are not stored there. */
export async function readStoredSecret(database: Database, name: string): Promise<string | undefined> {
  const [secret] = await database.query(READ_SECRET, { name });
  return secret?.value;
}

/** Removes the secret of this name from the database, if it exists. */
export async function forgetStoredSecret(database: Database, name: string): Promise<void> {
  await database.query(FORGET_SECRET, { name });
}
