-- The roles and the database of Causeway. Run it with psql as a superuser (or a role with CREATEROLE and CREATEDB):
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

\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
SET client_min_messages = warning;

SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', name)
FROM unnest(ARRAY['causeway_owner', 'causeway_service']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE causeway_owner PASSWORD :'owner_password';
ALTER ROLE causeway_service PASSWORD :'service_password';
-- Anyone who runs this may act for the owner while it does.
SELECT format('GRANT causeway_owner TO %I', current_user) WHERE NOT pg_has_role('causeway_owner', 'MEMBER') \gexec

SELECT format(
  $$CREATE DATABASE %I OWNER causeway_owner ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0$$, :'database')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', :'database') \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO causeway_service', :'database') \gexec

-- What the service sets for each session. A pooler that lends sessions for a transaction needs it here.
SELECT format('ALTER ROLE causeway_service IN DATABASE %I SET %I = %L', :'database', wanted.name, wanted.value)
FROM (VALUES
  ('TimeZone', 'UTC'),
  ('client_connection_check_interval', '1000'),
  ('enable_seqscan', 'off'),
  ('jit', 'off'),
  ('plan_cache_mode', 'force_generic_plan'),
  ('statement_timeout', '12000'),
  ('lock_timeout', '10000'),
  ('idle_in_transaction_session_timeout', '10000'),
  ('transaction_timeout', '14000')
) AS wanted (name, value) JOIN pg_settings known ON known.name = wanted.name \gexec

\connect :"database"
SET client_min_messages = warning;
ALTER SCHEMA public OWNER TO causeway_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SET ROLE causeway_owner;
GRANT USAGE ON SCHEMA public TO causeway_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO causeway_service;
GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO causeway_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE ON TABLES TO causeway_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO causeway_service;

-- The rights on each table that exists.
SELECT format('REVOKE ALL ON %1$I FROM causeway_service', rights.name),
  format('GRANT %2$s ON %1$I TO causeway_service', rights.name, rights.granted)
FROM (VALUES
  ('_prisma_migrations', 'SELECT'),
  ('organisations', 'SELECT, INSERT'),
  ('operations_teams', 'SELECT, INSERT'),
  ('service_secrets', 'SELECT, DELETE'),
  ('import_suppliers', 'SELECT, INSERT, UPDATE (account_types, balance_check, bulk_parallelism, country, document_root, email_sender, email_unsubscribe, empty_means_omitted, keep_undocumented_fields, name, process_concurrency_limit, reject_undocumented_fields, send_customer_emails, statement_amount_unit, status, suppliers_may_undo, suspect_data, suspect_data_by_code, undo_hours, zero_amounts)'),
  ('api_keys', 'SELECT, INSERT, UPDATE (revoked_at)'),
  ('account_imports', 'SELECT, INSERT, UPDATE (adopted_at, attempts, completed_at, erased_at, failed_at, kept_fields, last_error, payload, payload_digest, payload_removed_at, service_account_number, skip_reason, skipped_at, state, times_staged, updated_at)'),
  ('retired_service_account_numbers', 'SELECT'),
  ('accounts', 'SELECT, INSERT, UPDATE (billing_email, billing_name, details, revision)'),
  ('customers', 'SELECT, INSERT, UPDATE (date_of_birth, details, email, family_name, given_name, landline, mobile, title)'),
  ('supply_addresses', 'SELECT, INSERT, UPDATE (details, supply_address1, supply_address2, supply_address3, supply_address4, supply_address5, supply_postcode)'),
  ('meter_points', 'SELECT, INSERT, UPDATE (details, identifier, meters)'),
  ('payment_schedules', 'SELECT, INSERT, UPDATE (details, frequency)'),
  ('notes', 'SELECT, INSERT, UPDATE (body, document_paths, external_id)'),
  ('transactions', 'SELECT, INSERT, UPDATE (display_note, note, reference, supply_point_identifier, to_prepay_meter_serial_number)'),
  ('statements', 'SELECT, INSERT, UPDATE (statement_path)'),
  ('kept_fields', 'SELECT, INSERT, UPDATE (fields)'),
  ('payment_instructions', 'SELECT, INSERT, UPDATE (created_at, details, reference, vendor)'),
  ('superseded_payment_instructions', 'SELECT, INSERT, UPDATE (details, reference)'),
  ('customer_emails', 'SELECT, INSERT, UPDATE (address, answer, attempts, claim, lease_until, next_attempt_at, reason, sent_at, state, template_failure, template_language, template_version, updated_at)'),
  ('email_templates', 'SELECT, INSERT'),
  ('email_suppressions', 'SELECT, INSERT, DELETE, UPDATE (address)'),
  ('email_pace', 'SELECT, UPDATE (next_at)'),
  ('audit_events', 'SELECT, INSERT'),
  ('account_import_refusals', 'SELECT, INSERT, UPDATE, DELETE'),
  ('remark_decisions', 'SELECT, INSERT, UPDATE, DELETE'),
  ('meter_point_occupancies', 'SELECT, INSERT, UPDATE, DELETE'),
  ('meter_point_cursors', 'SELECT, INSERT, UPDATE'),
  ('meter_point_changes', 'SELECT, INSERT, DELETE'),
  ('import_problems', 'SELECT, INSERT, UPDATE, DELETE'),
  ('import_problem_accounts', 'SELECT, INSERT, UPDATE, DELETE'),
  ('import_problem_changes', 'SELECT, INSERT, UPDATE, DELETE'),
  ('incomplete_accounts', 'SELECT'),
  ('incomplete_account_counts', 'SELECT, INSERT, UPDATE, DELETE'),
  ('refusal_settlements', 'SELECT, UPDATE (settled_at)'),
  ('bulk_jobs', 'SELECT, INSERT, UPDATE (files_expire_at, files_removed_at, finished_at, label, lines, next_claim_at, options, paused_at, report, resumed_at, run, run_by, run_mode, selection, started_at, state, state_reason)'),
  ('bulk_parts', 'SELECT, INSERT'),
  ('bulk_bodies', 'SELECT, INSERT, DELETE, UPDATE (body)'),
  ('bulk_chunks', 'SELECT, INSERT, UPDATE, DELETE'),
  ('bulk_folds', 'SELECT, INSERT, DELETE'),
  ('bulk_problems', 'SELECT, INSERT, UPDATE, DELETE'),
  ('progress_samples', 'SELECT, INSERT, UPDATE, DELETE'),
  ('manifests', 'SELECT, INSERT, UPDATE (digest, lodged_before_load, sealed_at, sealed_by, state, withdrawn_at, withdrawn_reason)'),
  ('manifest_parts', 'SELECT, INSERT'),
  ('manifest_accounts', 'SELECT, INSERT, DELETE'),
  ('reconciliations', 'SELECT, INSERT, UPDATE (actual, covered, differences, differences_digest, different, expected, extra, finished_at, missing, moved_ranges, not_created, read_again, report_jws, round, signed_off_at, signed_off_by, signed_off_note, signed_off_person, skipped, started_at, state, undone_before, verdict)'),
  ('events', 'SELECT, INSERT, DELETE'),
  ('event_settings', 'SELECT, UPDATE (is_recorded)'),
  ('report_keys', 'SELECT, INSERT'),
  ('reconciliation_ranges', 'SELECT, INSERT, UPDATE, DELETE'),
  ('reconciliation_differences', 'SELECT, INSERT, UPDATE, DELETE'),
  ('webhook_endpoints', 'SELECT, INSERT, UPDATE (deleted_at, description, disabled_at, disabled_reason, event_types, failing_since, failures, import_suppliers, last_delivered_at, lease, leased_until, not_before, position, previous_secret, previous_secret_until, revision, secret, secret_unreadable_since, state, url, worked_at)'),
  ('webhook_deliveries', 'SELECT, INSERT, UPDATE, DELETE'),
  ('refresh_tokens', 'SELECT, INSERT, UPDATE, DELETE'),
  ('rate_limits', 'SELECT, INSERT, UPDATE, DELETE'),
  ('idempotency_keys', 'SELECT, INSERT, UPDATE, DELETE')
) AS rights (name, granted)
WHERE to_regclass(quote_ident(rights.name)) IS NOT NULL \gexec
