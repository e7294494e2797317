import pg from 'pg';
import { withConnection } from '../migrations/connect.ts';
import { MIGRATION_LOCK } from '../migrations/migrate.ts';

const SERVICE_ROLE = 'causeway_service';

/**
 * The service's role on an embedded server: it may log in, and owns nothing. Its password is replaced by this one.
 *
 * @param ownerUrl of the database, with the superuser's password
 * @returns the database's URL for this role
 */
export async function ensureServiceRole(ownerUrl: string, password: string): Promise<string> {
  await createLoginRole(ownerUrl, { role: SERVICE_ROLE, password });
  const url = new URL(ownerUrl);
  url.username = SERVICE_ROLE;
  url.password = password;
  return url.href;
}

/** Creates a role that may only log in, with this password; an existing role gets the password. */
export async function createLoginRole(
  ownerUrl: string,
  { role, password }: { role: string; password: string },
): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
    const rights = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
    await client.query(`${verb} ROLE ${pg.escapeIdentifier(role)} ${rights} PASSWORD ${pg.escapeLiteral(password)}`);
    await client.query('COMMIT');
  });
}
