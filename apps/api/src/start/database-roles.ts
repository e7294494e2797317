import path from 'node:path';
import { type DatabaseRoles, ensureServiceRole } from '@causeway/db';
import { keepSecret } from '@causeway/embedded-postgres';
import type { DatabaseEnvironment } from '../env.ts';

/** Who serves and who changes the schema: as the environment says, or else in the server that `startServer` starts. */
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
