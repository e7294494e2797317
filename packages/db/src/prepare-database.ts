import { buildIndexes, type MissingIndex } from './migrations/build-indexes.ts';
import { migrate, type Report } from './migrations/migrate.ts';
import { type BrokenConstraint, validateConstraints } from './migrations/validate-constraints.ts';
import { requireServer } from './require-server.ts';
import { grantServiceRights, mayChangeAuditEvents, roleOf } from './roles/grant-service-rights.ts';
import { requireRights } from './roles/require-rights.ts';

export interface DatabaseRoles {
  /** The URL that the service connects with. */
  url: string;
  /** The URL for schema changes; without it, the service's own role makes them. */
  ownerUrl?: string | undefined;
}

/** What an operator should know. */
export interface PreparedDatabase {
  missingIndexes: MissingIndex[];
  brokenConstraints: BrokenConstraint[];
  /** The service's role may change audit events, because it owns the tables: nothing was granted. */
  servesAsOwner: boolean;
}

/**
 * Before the service opens its database: applies the pending migrations, builds their indexes, validates their
 * constraints and gives the service's role its rights. Without `ownerUrl`, a role with rights on the tables only can
 * start as long as nothing is pending.
 *
 * @param report called for each thing that was done; never called if nothing is to do
 * @throws if the database cannot be reached or cannot be used, a migration fails, the owner may not grant, or the
 *   service's role lacks a right in the end
 */
export async function prepareDatabase(
  { url, ownerUrl = url }: DatabaseRoles,
  report?: Report,
): Promise<PreparedDatabase> {
  await requireServer(ownerUrl);
  await migrate(ownerUrl, undefined, report);
  // Before the constraints: validating a constraint blocks an index build on the same table, and the other way round.
  const missingIndexes = await buildIndexes(ownerUrl, report);
  const brokenConstraints = await validateConstraints(ownerUrl, report);
  if (roleOf(ownerUrl) !== roleOf(url)) {
    await grantServiceRights(ownerUrl, roleOf(url), report);
  }
  await requireRights(url);
  return { missingIndexes, brokenConstraints, servesAsOwner: await mayChangeAuditEvents(url) };
}
