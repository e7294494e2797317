import { LIMITS } from '@causeway/contracts';
import { fragment, rawSql, sql } from '@causeway/db';
import { IS_NAMED_BY_INPUT } from '../account-imports/is-named.sql.ts';
import { AUDIT_COLUMNS, AUDIT_FIELDS, AUDIT_RECORD } from '../audit/audit.sql.ts';
import { ACCOUNT_EVENT_COLUMNS } from '../events/events.sql.ts';

const MOST_TYPES = rawSql(String(LIMITS.payment_instructions));
/** Types that this refusal of the row says are none of the account. */
const MISTAKEN = fragment`(
          SELECT coalesce(mistaken_types, '{}')
          FROM standing
          WHERE standing.id = excluded.account_import_id AND standing.operation = excluded.operation
        )`;

/**
 * The latest refusals of account imports, each of one operation; no two of the same account and operation.
 * - `standing`: each refusal with its account import, if there is one. Without one nothing is written if
 *   `must_be_staged`.
 * - A refusal is settled, not open, if the operation can bring nothing more to the account: one that precedes the
 *   creation, of an account that exists; any, of an account that is skipped or erased. A settled one does not replace an
 *   open one.
 * - What was to come with an account that does not exist is a refusal of `process`: the creation resolves it.
 * - `detail`: of payment instructions, the types that were refused since; each has to be stored.
 * - `times` counts from the first refusal since the operation last succeeded.
 * - A refusal that becomes open is an event, its repetitions are not: in the audit trail of an account that exists, and
 *   for others, except for dry runs.
 */
export const REMEMBER_REFUSALS = sql('remember-refusals')`
  WITH input AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS input (${AUDIT_RECORD},
      import_supplier_code text, external_account_number text, step text, code text, errors jsonb, problems text[],
      detail jsonb, mistaken_types text[], carries_account boolean, must_be_staged boolean)
  ),
  standing AS MATERIALIZED (
    SELECT
      input.*,
      CASE
        WHEN carries_account AND import.state IS DISTINCT FROM 'COMPLETED' AND step NOT IN ('validate', 'stage', 'dry_run')
          THEN 'process'
        ELSE step
      END AS operation,
      import.state IS NOT NULL AS is_staged,
      import.state IS NOT DISTINCT FROM 'COMPLETED' AS is_created,
      import.erased_at IS NOT NULL
        OR import.state IS NOT DISTINCT FROM 'SKIPPED'
        OR (import.state IS NOT DISTINCT FROM 'COMPLETED'
          AND step IN ('validate', 'stage', 'process', 'dry_run')) AS is_settled
    FROM input
    LEFT JOIN LATERAL (
      SELECT state, erased_at
      FROM account_imports AS import
      WHERE import.id = input.id
        AND ${IS_NAMED_BY_INPUT}
      OFFSET 0
    ) AS import ON true
    WHERE import.state IS NOT NULL OR NOT must_be_staged
  ),
  remembered AS (
    INSERT INTO account_import_refusals AS known
      (account_import_id, operation, import_supplier_code, external_account_number, code, errors, problems, detail, is_staged,
       is_created, request_id, first_seen_at, last_seen_at, resolved_at)
    SELECT id, operation, import_supplier_code, external_account_number, code, errors, problems,
      CASE WHEN NOT is_settled AND operation = 'payment_instruction' THEN detail END, is_staged,
      is_created, request_id, at, at, CASE WHEN is_settled THEN at END
    FROM standing
    ORDER BY id, operation
    ON CONFLICT (account_import_id, operation, reported) DO UPDATE SET
      code = excluded.code,
      errors = excluded.errors,
      problems = excluded.problems,
      detail = CASE
        WHEN known.resolved_at IS NOT NULL THEN excluded.detail
        WHEN (SELECT count(*) FROM jsonb_object_keys(known.detail)) >= ${MOST_TYPES} THEN known.detail - ${MISTAKEN}
        ELSE nullif(coalesce(known.detail, '{}') - ${MISTAKEN} || coalesce(excluded.detail, '{}'), '{}')
      END,
      is_staged = known.is_staged OR excluded.is_staged,
      is_created = known.is_created OR excluded.is_created,
      times = CASE
        WHEN known.resolved_at IS NULL OR excluded.resolved_at IS NOT NULL THEN known.times + 1
        ELSE 1
      END,
      request_id = excluded.request_id,
      first_seen_at = CASE
        WHEN known.resolved_at IS NULL OR excluded.resolved_at IS NOT NULL
          THEN least(known.first_seen_at, excluded.first_seen_at)
        ELSE excluded.first_seen_at
      END,
      last_seen_at = CASE
        WHEN known.resolved_at IS NULL OR excluded.resolved_at IS NOT NULL
          THEN greatest(known.last_seen_at, excluded.last_seen_at)
        ELSE excluded.last_seen_at
      END,
      resolved_at = excluded.resolved_at
    WHERE known.import_supplier_code = excluded.import_supplier_code
      AND known.external_account_number = excluded.external_account_number
      AND (excluded.resolved_at IS NULL OR known.resolved_at IS NOT NULL)
    RETURNING known.account_import_id, known.operation, known.times, known.is_created,
      known.resolved_at IS NULL AS is_open
  ),
  event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT import_supplier_code, 'account.refused', external_account_number, number, jsonb_build_object(
      'operation', remembered.operation, 'code', code, 'errors', errors), at
    FROM remembered
    JOIN standing ON id = account_import_id AND standing.operation = remembered.operation
    LEFT JOIN LATERAL (
      SELECT service_account_number AS number
      FROM accounts
      WHERE remembered.is_created AND accounts.account_import_id = standing.id
    ) AS account ON true
    WHERE is_open AND times = 1 AND remembered.operation <> 'dry_run'
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_FIELDS}, 'account_import', remembered.operation || '_refused',
    jsonb_build_object('code', code, 'errors', errors)
  FROM remembered
  JOIN standing ON id = account_import_id AND standing.operation = remembered.operation
  WHERE remembered.is_created AND is_open AND times = 1`;
