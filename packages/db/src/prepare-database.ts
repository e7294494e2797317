import { buildIndexes, type MissingIndex } from './migrations/build-indexes.ts';
import { migrate, type Report } from './migrations/migrate.ts';
import { type BrokenConstraint, validateConstraints } from './migrations/validate-constraints.ts';
import { grantServiceRights, mayChangeAuditEvents, roleOf } from './roles/grant-service-rights.ts';

export interface DatabaseRoles {
  /** What the service connects by. */
  url: string;
  /** What the schema is changed by; without it, the service's own role does that. */
  ownerUrl?: string | undefined;
}

/** What an operator should hear of. */
export interface PreparedDatabase {
  missingIndexes: MissingIndex[];
  brokenConstraints: BrokenConstraint[];
  /** The service's role may change audit events, since it owns the tables: nothing was granted. */
  servesAsOwner: boolean;
}

/**
 * Before the service opens its database: applies the pending migrations, builds their indexes, validates their
 * constraints and gives the service's role its rights. Without `ownerUrl` a role that may only use the tables starts as
 * long as nothing is pending.
 *
 * @param report hears of each thing that was done, and of nothing where all is as it should be
 * @throws where the database cannot be reached, a migration fails, or the owner may not grant
 */
export async function prepareDatabase(
  { url, ownerUrl = url }: DatabaseRoles,
  report?: Report,
): Promise<PreparedDatabase> {
  await migrate(ownerUrl, undefined, report);
  // Before the constraints: who validates one keeps an index of the table from being built, and the other way round.
  const missingIndexes = await buildIndexes(ownerUrl, report);
  const brokenConstraints = await validateConstraints(ownerUrl, report);
  if (roleOf(ownerUrl) !== roleOf(url)) {
    await grantServiceRights(ownerUrl, roleOf(url), report);
  }
  return { missingIndexes, brokenConstraints, servesAsOwner: await mayChangeAuditEvents(url) };
}
