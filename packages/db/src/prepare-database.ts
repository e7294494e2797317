import { buildIndexes, type MissingIndex } from './migrations/build-indexes.ts';
import { withConnection } from './migrations/connect.ts';
import { migrate, type Tell } from './migrations/migrate.ts';
import { type BrokenConstraint, validateConstraints } from './migrations/validate-constraints.ts';
import { grantServiceRights, mayChangeAuditEvents, roleOf } from './roles/grant-service-rights.ts';
import { requireRights } from './roles/require-rights.ts';

interface ServerFacts {
  version: string;
  version_number: number;
  encoding: string;
  database: string;
  standby: boolean;
  read_only: boolean;
}

const OLDEST_VERSION = 15;

const FACTS = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS version_number,
    current_setting('server_encoding') AS encoding, current_database() AS database,
    pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only`;

/**
 * Makes sure that the service can work on this server and database at all, before anything is changed there.
 *
 * @throws with what is wrong and the remedy, in one sentence; also if the database cannot be reached
 */
export async function requireServer(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    const { rows } = await client.query<ServerFacts>(FACTS);
    const obstacle = rows[0] && obstacleOf(rows[0]);
    if (obstacle !== undefined) throw new Error(obstacle);
  });
}

export function obstacleOf({ version, version_number, ...facts }: ServerFacts): string | undefined {
  if (version_number < OLDEST_VERSION * 10_000) {
    return `The server is PostgreSQL ${version}: Causeway needs version ${OLDEST_VERSION} or newer.`;
  }
  if (facts.encoding !== 'UTF8') {
    return `The database ${facts.database} is encoded in ${facts.encoding}: create it with ENCODING 'UTF8' TEMPLATE template0.`;
  }
  if (facts.standby)
    return 'The server is a standby and takes no writes: let DATABASE_URL name the primary, or every host.';
  if (facts.read_only) {
    return `The database ${facts.database} is read-only (default_transaction_read_only): let it take writes, then start again.`;
  }
  return undefined;
}

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
  report?: Tell,
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
