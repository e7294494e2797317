import pg from 'pg';
import { hostsOf } from '../hosts.ts';
import { withConnection } from '../migrations/connect.ts';
import { MIGRATION_LOCK, type Tell } from '../migrations/migrate.ts';
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

// Only the owner's functions: it cannot grant others. A right through PUBLIC is sufficient.
const LACKING = `
  SELECT quote_ident(current_schema()) AS schema,
    has_schema_privilege($1::regrole, current_schema(), 'USAGE') AS "mayUseSchema",
    ARRAY(
      SELECT oid::regprocedure::text FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND pg_has_role(proowner, 'USAGE')
        AND NOT has_function_privilege($1::regrole, oid, 'EXECUTE')
    ) AS functions`;

interface Lacking {
  schema: string;
  mayUseSchema: boolean;
  /** With the types of their arguments. */
  functions: string[];
}

const rightsOf = (table: string): readonly string[] => SERVICE_RIGHTS[table] ?? USUAL_RIGHTS;

const isAsWritten = ({ table, rights }: TableRights): boolean => {
  const wanted = rightsOf(table);
  return rights.length === wanted.length && wanted.every((right) => rights.includes(right));
};

/** The role in a connection URL, as pg reads it. */
export function roleOf(url: string): string {
  return new pg.Client({ connectionString: hostsOf(url).current() }).user ?? '';
}

/** The rights on tables that are added later by other means than a migration at start-up, and on their schema. */
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

/** The SQL to run; empty if all rights are correct. */
async function missingGrants(client: pg.Client, role: string): Promise<string[]> {
  const { rows: tables } = await client.query<TableRights>(GRANTED, [role]);
  const { rows } = await client.query<Lacking>(LACKING, [role]);
  const { schema, mayUseSchema, functions } = rows[0] ?? { schema: 'public', mayUseSchema: true, functions: [] };
  const grants = [
    ...tables.filter((table) => !isAsWritten(table)).flatMap(({ table }) => tableGrants(role, table)),
    ...functions.map((signature) => `GRANT EXECUTE ON ROUTINE ${signature} TO ${role}`),
  ];
  return mayUseSchema && grants.length === 0 ? [] : [...schemaGrants(role, schema), ...grants];
}

/**
 * Gives a role the rights that the service needs (`SERVICE_RIGHTS`, and every function of the owner), and revokes all
 * other grants on the tables. Rights through PUBLIC, or through a role that it is a member of, stay: others may need
 * them. Call it after the migrations, as the owner of the tables. If all rights are correct it costs two queries.
 *
 * @throws if the role does not exist, or the URL's role may not grant
 */
export async function grantServiceRights(
  ownerUrl: string,
  role: string,
  report: Tell = () => undefined,
): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    const named = pg.escapeIdentifier(role);
    if ((await missingGrants(client, named)).length === 0) return;
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const grants = await missingGrants(client, named);
    for (const grant of grants) await client.query(grant);
    await client.query('COMMIT');
    if (grants.length > 0) report(`Granted ${role} the rights of the service.`);
  });
}

/**
 * Whether a role has rights that the service must not have: to change or remove audit events, like the owner of the
 * tables.
 */
export async function mayChangeAuditEvents(url: string): Promise<boolean> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ may: boolean }>(
      `SELECT has_table_privilege('audit_events', 'UPDATE, DELETE, TRUNCATE') AS may`,
    );
    return rows[0]?.may === true;
  });
}
