import { LIMITS } from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { AUDIT_COLUMNS } from '../audit/audit.sql.ts';
import { eventsOfSkipping } from '../events/events.sql.ts';
import { startsWith } from './starts-with.sql.ts';

const IN_FILTER = fragment`import.state = ANY (${'states'}::text[]::account_import_state[])
      AND ${startsWith(fragment`import.external_account_number`, fragment`${'number_prefix'}::text`)}`;

/** By state and number: a range of their index. */
const ALL = fragment`account_imports AS import
    WHERE import.import_supplier_code = ${'code'}
      AND ${IN_FILTER}`;
const WITH_PROBLEM = fragment`import_problem_accounts AS affected
    JOIN account_imports AS import ON import.id = affected.account_import_id
    WHERE affected.problem_id = ${'problem_id'}
      AND import.import_supplier_code IS NOT DISTINCT FROM ${'code'}
      AND ${IN_FILTER}`;

function countOf<Name extends string>(name: string, accounts: Fragment<Name>) {
  return sql(name, { accounts: 'integer' })`
  SELECT count(*)::integer AS accounts
  FROM ${accounts}`;
}

export const COUNT_FOR_SKIP = countOf('count-for-skip', ALL);
export const COUNT_WITH_PROBLEM_FOR_SKIP = countOf('count-with-problem-for-skip', WITH_PROBLEM);

/**
 * Skips some of them, if there are as many as are expected: each in its present state, with its audit event, and its
 * open refusals resolved. Those that are chosen are locked, so they still are in one of the states. It waits for no lock:
 * who is being written to is left for the next call.
 */
function skipSome<Name extends string>(name: string, accounts: Fragment<Name>) {
  return sql(name, { accounts: 'integer | null', skipped: 'integer | null' })`
  WITH counted AS MATERIALIZED (
    SELECT count(*)::integer AS accounts
    FROM ${accounts}
  ),
  chosen AS MATERIALIZED (
    SELECT import.id
    FROM ${accounts}
      AND (SELECT accounts FROM counted) = ${'expected_count'}
    LIMIT ${rawSql(String(LIMITS.skipped_accounts))}
    FOR NO KEY UPDATE OF import SKIP LOCKED
  ),
  skipped AS (
    UPDATE account_imports AS import
    SET state = 'SKIPPED', skip_reason = ${'reason'}, updated_at = ${'at'}, skipped_at = ${'at'}
    FROM chosen
    WHERE import.id = chosen.id
    RETURNING import.id, import.import_supplier_code, import.external_account_number
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT id, ${'actor'}, ${'api_key_id'}::uuid, ${'request_id'}, ${'caller_request_id'}, ${'at'},
      'account_import', 'skipped', jsonb_build_object('reason', ${'reason'}::text)
    FROM skipped
  ),
  ${eventsOfSkipping('skipped')},
  resolved AS (
    UPDATE account_import_refusals
    SET resolved_at = ${'at'}
    FROM skipped
    WHERE account_import_id = skipped.id AND resolved_at IS NULL
  )
  SELECT (SELECT accounts FROM counted) AS accounts, (SELECT count(*)::integer FROM skipped) AS skipped`;
}

export const SKIP_SOME = skipSome('skip-some', ALL);
export const SKIP_SOME_WITH_PROBLEM = skipSome('skip-some-with-problem', WITH_PROBLEM);
