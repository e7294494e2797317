import path from 'node:path';
import { type DatabaseRoles, ensureServiceRole } from '@causeway/db';
import { keepSecret } from '@causeway/embedded-postgres';
import type { DatabaseEnvironment } from '../database-environment.ts';

/**
 * The roles that serve and that change the schema: from the environment, or else in the server that `startServer`
 * starts.
 */
export async function databaseRoles(
  { databaseUrl, databaseOwnerUrl, dataDirectory }: DatabaseEnvironment,
  startServer: () => Promise<string>,
): Promise<DatabaseRoles> {
  if (databaseUrl !== undefined) {
    return { url: databaseUrl, ownerUrl: databaseOwnerUrl };
  }
  const ownerUrl = await startServer();
  const password = await keepSecret(path.join(dataDirectory, 'postgres-service-password'));
  return { url: await ensureServiceRole(ownerUrl, password), ownerUrl };
}
