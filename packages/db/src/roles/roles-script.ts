import { sessionSettings } from '../session-settings.ts';
import { SERVICE_RIGHTS, USUAL_RIGHTS } from './service-rights.ts';

const rowsOf = (pairs: [string, string][]): string =>
  pairs.map(([one, other]) => `  ('${one}', '${other}')`).join(',\n');

const HEAD = `-- The roles and the database of Causeway. Run it with psql as a superuser (or a role with CREATEROLE and CREATEDB):
--
--   psql "postgresql://postgres@db.example/postgres" -v database=causeway -f deploy/create-roles.sql
--
-- The passwords are read from OWNER_PASSWORD and SERVICE_PASSWORD of the environment: those of a command line are shown
-- to everybody who lists the processes of the machine.
--
-- causeway_owner owns the tables and migrates: DATABASE_OWNER_URL. causeway_service serves and owns nothing:
-- DATABASE_URL. It can be run again at any time: what exists is kept, passwords are set, rights and settings are put right.
-- The command migrate grants the same rights, as the owner; the last part here is for anyone who grants by hand.
-- Written by a test of packages/db from src/roles/service-rights.ts (vitest -u test/roles-script.test.ts): do not edit.

\\set ON_ERROR_STOP on
\\getenv owner_password OWNER_PASSWORD
\\getenv service_password SERVICE_PASSWORD
SET client_min_messages = warning;

SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', name)
FROM unnest(ARRAY['causeway_owner', 'causeway_service']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \\gexec
ALTER ROLE causeway_owner PASSWORD :'owner_password';
ALTER ROLE causeway_service PASSWORD :'service_password';
-- Anyone who runs this may act for the owner while it does.
SELECT format('GRANT causeway_owner TO %I', current_user) WHERE NOT pg_has_role('causeway_owner', 'MEMBER') \\gexec

SELECT format(
  $$CREATE DATABASE %I OWNER causeway_owner ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0$$, :'database')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \\gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', :'database') \\gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO causeway_service', :'database') \\gexec

-- What the service sets for each session. A pooler that lends sessions for a transaction needs it here.
SELECT format('ALTER ROLE causeway_service IN DATABASE %I SET %I = %L', :'database', wanted.name, wanted.value)
FROM (VALUES
${rowsOf(Object.entries(sessionSettings()))}
) AS wanted (name, value) JOIN pg_settings known ON known.name = wanted.name \\gexec

\\connect :"database"
SET client_min_messages = warning;
ALTER SCHEMA public OWNER TO causeway_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SET ROLE causeway_owner;
GRANT USAGE ON SCHEMA public TO causeway_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO causeway_service;
GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO causeway_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${USUAL_RIGHTS.join(', ')} ON TABLES TO causeway_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO causeway_service;

-- The rights on each table that exists.
SELECT format('REVOKE ALL ON %1$I FROM causeway_service', rights.name),
  format('GRANT %2$s ON %1$I TO causeway_service', rights.name, rights.granted)
FROM (VALUES
`;

const TAIL = `
) AS rights (name, granted)
WHERE to_regclass(quote_ident(rights.name)) IS NOT NULL \\gexec
`;

/** deploy/create-roles.sql: for psql. */
export function rolesScript(): string {
  return HEAD + rowsOf(Object.entries(SERVICE_RIGHTS).map(([table, rights]) => [table, rights.join(', ')])) + TAIL;
}
