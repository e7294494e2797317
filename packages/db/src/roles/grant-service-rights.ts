import pg from 'pg';
import { withConnection } from '../migrations/connect.ts';
import { MIGRATION_LOCK } from '../migrations/migrate.ts';
import { SERVICE_RIGHTS, USUAL_RIGHTS } from './service-rights.ts';

interface TableRights {
  table: string;
  rights: string[];
}

const GRANTED = `
  SELECT relname AS table, ARRAY(
    SELECT privilege_type::text FROM aclexplode(relacl) WHERE grantee = $1::regrole
    UNION ALL
    SELECT privilege_type || ' (' || string_agg(attname, ', ' ORDER BY attname COLLATE "C") || ')'
    FROM pg_attribute, aclexplode(attacl) WHERE attrelid = pg_class.oid AND grantee = $1::regrole
    GROUP BY privilege_type
  ) AS rights
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`;

const rightsOf = (table: string): readonly string[] => SERVICE_RIGHTS[table] ?? USUAL_RIGHTS;

const isAsWritten = ({ table, rights }: TableRights): boolean => {
  const wanted = rightsOf(table);
  return rights.length === wanted.length && wanted.every((right) => rights.includes(right));
};

/** The role that a connection URL names, as pg reads it. */
export function roleOf(url: string): string {
  return new pg.Client({ connectionString: url }).user ?? '';
}

/** What a table added later by other means than a migration at start gets, and the way to the tables. */
const schemaGrants = (role: string, schema: string): string[] => [
  `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
  `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
  `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${USUAL_RIGHTS.join(', ')} ON TABLES TO ${role}`,
  `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${role}`,
];

const tableGrants = (role: string, table: string): string[] => [
  `REVOKE ALL ON ${pg.escapeIdentifier(table)} FROM ${role}`,
  `GRANT ${rightsOf(table).join(', ')} ON ${pg.escapeIdentifier(table)} TO ${role}`,
];

/**
 * Gives a role the rights that the service needs (`SERVICE_RIGHTS`), and takes from it whatever else it has on the tables.
 * To be called after the migrations, as the owner of the tables. Where all is as it should be it costs one query.
 *
 * @throws where the role does not exist, or the URL's role may not grant
 */
export async function grantServiceRights(ownerUrl: string, role: string): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    const named = pg.escapeIdentifier(role);
    const granted = async () => (await client.query<TableRights>(GRANTED, [named])).rows;
    if ((await granted()).every(isAsWritten)) return;
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const { rows } = await client.query<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema');
    const differing = (await granted()).filter((table) => !isAsWritten(table));
    const statements = [
      ...schemaGrants(named, rows[0]?.schema ?? 'public'),
      ...differing.flatMap(({ table }) => tableGrants(named, table)),
    ];
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
  });
}

/** Whether a role may do what no service needs: change or remove audit events, as the owner of the tables may. */
export async function mayChangeAuditEvents(url: string): Promise<boolean> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ may: boolean }>(
      `SELECT has_table_privilege('audit_events', 'UPDATE, DELETE, TRUNCATE') AS may`,
    );
    return rows[0]?.may === true;
  });
}
