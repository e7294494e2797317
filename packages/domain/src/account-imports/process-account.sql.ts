import { type RowOf, sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/**
 * The whole of process, as one statement. The open statement period begins on `today` unless the account was billed
 * before.
 * - `lock`: does not wait, because a statement's snapshot is as old as its start: a caller that has to wait takes the
 *   lock (`LOCK_ACCOUNT_IMPORT`) first. An account is IN_PROGRESS while this lock is held.
 * - `supplier`: waits for its lock, after the account's and before any row's, so that the status cannot change before
 *   the commit: a change of status waits for this call.
 * - `import`: FOR UPDATE waits for a concurrent change of the row, and reads its result.
 * - `taken`: the number belongs to another account. Then nothing is written and nothing fails: the caller tries another
 *   number, even within a transaction, which an error would end. The unique index prevents two concurrent calls from
 *   using one number.
 * - `slot`: the supplier's first free slot. Both locks end with the transaction, even if their holder dies.
 *
 * It returns what it found. `locked` is false if another call is working on the account, and `number_taken` is true if
 * another account has the number; in both cases it did nothing. `slot_found` without `created`: the account became
 * pending while the statement waited for it, and is not pending in the statement's snapshot. `created` says whether it
 * wrote the account; otherwise the first failed check is the reason.
 */
export const PROCESS_ACCOUNT = sql('process-account', {
  locked: 'boolean',
  supplier_status: 'import_supplier_status | null',
  state: 'account_import_state | null',
  operations_team_id: 'uuid | null',
  number_taken: 'boolean',
  slot_found: 'boolean',
  created: 'boolean',
})`
  WITH lock AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(${'account_lock'}::bigint) AS held
  ),
  supplier AS MATERIALIZED (
    SELECT
      CASE WHEN held THEN share_import_supplier(code, true) END AS status,
      process_concurrency_limit,
      organisation_id
    FROM lock, import_suppliers
    WHERE code = ${'import_supplier_code'}
  ),
  import AS MATERIALIZED (
    SELECT state
    FROM account_imports
    WHERE id = (SELECT ${'id'}::uuid FROM supplier WHERE status IS NOT NULL)
      AND import_supplier_code = ${'import_supplier_code'}
      AND external_account_number = ${'external_account_number'}
    FOR UPDATE
  ),
  team AS (
    SELECT id
    FROM operations_teams
    WHERE name = ${'operations_team_name'}
      AND (organisation_id IS NULL OR organisation_id = (SELECT organisation_id FROM supplier))
  ),
  taken AS MATERIALIZED (
    SELECT FROM accounts
    WHERE service_account_number = ${'service_account_number'}
  ),
  allowed AS MATERIALIZED (
    SELECT supplier.process_concurrency_limit, team.id AS operations_team_id
    FROM import, supplier, team
    WHERE supplier.status = 'ONGOING'
      AND import.state IN ('STAGED', 'FAILED')
      AND NOT EXISTS (SELECT FROM taken)
  ),
  slot AS MATERIALIZED (
    SELECT allowed.operations_team_id
    FROM allowed
    CROSS JOIN LATERAL generate_series(1, coalesce(allowed.process_concurrency_limit, 1)) AS number
    WHERE allowed.process_concurrency_limit IS NULL OR pg_try_advisory_xact_lock(${'first_slot'}::bigint + number)
    LIMIT 1
  ),
  completed AS (
    UPDATE account_imports AS import
    SET
      state = 'COMPLETED',
      attempts = attempts + 1,
      last_error = NULL,
      updated_at = ${'at'},
      completed_at = ${'at'},
      service_account_number = ${'service_account_number'}
    FROM slot
    WHERE import.id = ${'id'} AND import.state IN ('STAGED', 'FAILED')
    RETURNING import.payload, slot.operations_team_id
  ),
  account AS (
    INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type, billing_name,
      billing_email, transfer_balance, last_billed_to_date, open_statement_from, details, created_at)
    SELECT ${'id'}, ${'service_account_number'}, operations_team_id, payload->>'account_type', payload->>'billing_name',
      payload->>'billing_email', (payload->>'transfer_balance')::numeric, (payload->>'last_billed_to_date')::date,
      coalesce((payload->>'last_billed_to_date')::date + 1, ${'today'}::date),
      payload - ARRAY['import_supplier', 'external_account_number', 'account_type', 'billing_name', 'billing_email',
        'transfer_balance', 'last_billed_to_date', 'customers', 'supply_addresses', 'payment_schedules'], ${'at'}
    FROM completed
  ),
  customer AS (
    INSERT INTO customers (account_import_id, position, title, given_name, family_name, email, mobile, landline,
      date_of_birth, details)
    SELECT ${'id'}, position - 1, value->>'title', value->>'given_name', value->>'family_name', value->>'email',
      value->>'mobile', value->>'landline', (value->>'date_of_birth')::date,
      value - ARRAY['title', 'given_name', 'family_name', 'email', 'mobile', 'landline', 'date_of_birth']
    FROM completed,
      jsonb_array_elements(payload->'customers') WITH ORDINALITY AS element (value, position)
  ),
  supply_address AS (
    INSERT INTO supply_addresses (account_import_id, position, supply_address1, supply_address2, supply_address3,
      supply_address4, supply_address5, supply_postcode, customer_at_supply_address_from_date,
      customer_at_supply_address_to_date, is_landlord)
    SELECT ${'id'}, position - 1, value->>'supply_address1', value->>'supply_address2', value->>'supply_address3',
      value->>'supply_address4', value->>'supply_address5', value->>'supply_postcode',
      (value->>'customer_at_supply_address_from_date')::date, (value->>'customer_at_supply_address_to_date')::date,
      (value->>'is_landlord')::boolean
    FROM completed,
      jsonb_array_elements(payload->'supply_addresses') WITH ORDINALITY AS element (value, position)
  ),
  meter_point AS (
    INSERT INTO meter_points (account_import_id, supply_address_position, position, identifier, supply_type,
      supply_start_date, mpid, agreements, meters)
    SELECT ${'id'}, address.position - 1, point.position - 1, point.value->>'identifier', point.value->>'supply_type',
      (point.value->>'supply_start_date')::date, point.value->>'mpid',
      coalesce(point.value->'agreements', '[]'), coalesce(point.value->'meters', '[]')
    FROM completed,
      jsonb_array_elements(payload->'supply_addresses') WITH ORDINALITY AS address (value, position),
      jsonb_array_elements(address.value->'meter_points') WITH ORDINALITY AS point (value, position)
  ),
  payment_schedule AS (
    INSERT INTO payment_schedules (account_import_id, position, means, start_date, end_date, frequency, day_of_month,
      amount)
    SELECT ${'id'}, position - 1, value->>'means', (value->>'start_date')::date, (value->>'end_date')::date,
      value->>'frequency', (value->>'day_of_month')::integer, (value->>'amount')::numeric
    FROM completed,
      jsonb_array_elements(payload->'payment_schedules') WITH ORDINALITY AS element (value, position)
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'account_import', 'processed',
      jsonb_build_object('service_account_number', ${'service_account_number'}::text)
    FROM completed
  )
  SELECT
    (SELECT held FROM lock) AS locked,
    (SELECT status FROM supplier) AS supplier_status,
    (SELECT state FROM import) AS state,
    (SELECT id FROM team) AS operations_team_id,
    EXISTS (SELECT FROM taken) AS number_taken,
    EXISTS (SELECT FROM slot) AS slot_found,
    EXISTS (SELECT FROM completed) AS created`;

export type ProcessAccountRow = RowOf<typeof PROCESS_ACCOUNT>;

/** Waits for the account's lock; within a transaction, before `PROCESS_ACCOUNT`. */
export const LOCK_ACCOUNT_IMPORT = sql('lock-account-import', { pg_advisory_xact_lock: 'void' })`
  SELECT pg_advisory_xact_lock(${'account_lock'}::bigint)`;
