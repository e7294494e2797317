import { type Fragment, fragment, rawSql } from '@causeway/db';
import { AUDIT_RECORD } from '../shared/audit-values.ts';
import { accountRows } from './account-rows.ts';

/** Bytes of a payload as it is stored, compressed: some ten times the usual, and ten times the work. */
const LARGE_PAYLOAD_BYTES = 16_000;

/** In which of the two statements that create accounts these expressions stand. */
interface Creation {
  /** What each call has in addition to what both statements know of it, as columns of a record. */
  values?: Fragment;
  /** The history that the payload carries, as text; NULL if the statement does not read it. In terms of the row. */
  history: Fragment;
  /** Whether the statement may create the account, in terms of the rows `import` and `slot`. */
  mayCreate: Fragment;
  /** The payload without its history, in terms of the row `import`. */
  payload: Fragment;
  /** In terms of `completed`. */
  lastStatementBalance: Fragment;
}

/** Whether the only call may wait for locks. Otherwise calls that must be alone are `busy`, and nothing is done for them. */
export const MAY_WAIT = fragment`${'may_wait'}::boolean`;

/**
 * Creates accounts from their staged payloads, as common table expressions: each account all or nothing. The open
 * statement period begins on `today` unless the account was billed before.
 * - `lock`: does not wait, because a statement's snapshot is as old as its start: a caller that has to wait takes the
 *   lock (`LOCK_ACCOUNT_IMPORT`) first. An account is IN_PROGRESS while this lock is held.
 * - `supplier`: waits for its lock, after the account's and before any row's, so that the status cannot change before
 *   the commit: a change of status waits for this call. Its status is null while another call changes it, if this one
 *   may not wait.
 * - `free`: the imports that were not locked by others, now locked; none if the call may wait. Large ones are left out,
 *   because their neighbours would wait for them, unless all of the transaction is committed together (`has_slot`).
 * - `import`: FOR UPDATE waits for a concurrent change of the row, and reads its result. It is found by its id alone: a
 *   plan that was made while the table was small would go through all accounts of the supplier. The names, from which
 *   the id is derived, are compared afterwards.
 * - `number_taken`: the number belongs to another account, or did until that was undone. Then nothing is written and nothing fails: the caller tries
 *   another number, even within a transaction, which an error would end. The unique index prevents two concurrent calls
 *   from using one number. EXISTS might be hashed, which reads the numbers of all accounts.
 * - `slot`: the supplier's first free slot, unless the transaction has taken one for the call (`has_slot`). Both locks
 *   end with the transaction, even if their holder dies. If the supplier has a limit, a call without a slot must be
 *   alone: it would hold its slot while its neighbours work.
 * - `completed`: the imports that are created, if they are still pending; all rows of the accounts follow from them
 *   (`accountRows`). The states are excluded, because an index could look for those that are wanted.
 */
export function createAccounts(creation: Creation) {
  const { values, history, mayCreate, payload, lastStatementBalance } = creation;
  const moreValues = values === undefined ? fragment`` : fragment`, ${values}`;
  return fragment`input AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS input (${AUDIT_RECORD},
      import_supplier_code text, external_account_number text, operations_team_name text, service_account_number text,
      account_lock bigint, first_slot bigint, has_slot boolean, job_id uuid, today date${moreValues})
  ),
  lock AS MATERIALIZED (
    SELECT id, import_supplier_code, has_slot, pg_try_advisory_xact_lock(account_lock) AS held
    FROM input
  ),
  supplier AS MATERIALIZED (
    SELECT code, share_import_supplier(code, ${MAY_WAIT}) AS status, process_concurrency_limit, organisation_id,
      send_customer_emails AND email_sender IS NOT NULL AS sends_emails
    FROM import_suppliers
    WHERE code = ANY (ARRAY(SELECT import_supplier_code FROM lock WHERE held))
  ),
  wanted AS MATERIALIZED (
    SELECT id, has_slot
    FROM lock
    JOIN supplier ON code = import_supplier_code
    WHERE held AND status IS NOT NULL
  ),
  free AS MATERIALIZED (
    SELECT id
    FROM account_imports
    WHERE NOT ${MAY_WAIT}
      AND id = ANY (ARRAY(SELECT id FROM wanted))
      AND (
        coalesce(pg_column_size(payload), 0) <= ${rawSql(String(LARGE_PAYLOAD_BYTES))}
        OR id = ANY (ARRAY(SELECT id FROM wanted WHERE has_slot))
      )
    FOR UPDATE SKIP LOCKED
  ),
  import AS MATERIALIZED (
    SELECT id, import_supplier_code, external_account_number, state, times_staged, ${history} AS history
    FROM account_imports
    WHERE id = ANY (ARRAY(SELECT id FROM wanted WHERE ${MAY_WAIT} UNION ALL SELECT id FROM free))
    FOR UPDATE
  ),
  checked AS MATERIALIZED (
    SELECT
      input.*,
      lock.held,
      supplier.status,
      supplier.process_concurrency_limit,
      supplier.sends_emails,
      import.state,
      import.times_staged AS times_staged_now,
      import.history,
      (
        SELECT team.id
        FROM operations_teams AS team
        WHERE team.name = input.operations_team_name
          AND (team.organisation_id IS NULL OR team.organisation_id = supplier.organisation_id)
      ) AS operations_team_id,
      (
        SELECT true
        FROM accounts
        WHERE accounts.service_account_number = input.service_account_number
        UNION ALL
        SELECT true
        FROM retired_service_account_numbers AS retired
        WHERE retired.service_account_number = input.service_account_number
        LIMIT 1
      ) IS NOT NULL AS number_taken
    FROM input
    JOIN lock USING (id)
    LEFT JOIN supplier ON held AND code = input.import_supplier_code
    LEFT JOIN import ON import.id = input.id
      AND import.import_supplier_code = input.import_supplier_code
      AND import.external_account_number = input.external_account_number
  ),
  slot AS MATERIALIZED (
    SELECT checked.*
    FROM checked
    CROSS JOIN LATERAL (
      SELECT
      FROM generate_series(1, coalesce(process_concurrency_limit, 1)) AS number
      WHERE CASE
        WHEN process_concurrency_limit IS NULL OR has_slot THEN true
        WHEN ${MAY_WAIT} THEN pg_try_advisory_xact_lock(first_slot + number)
      END
      LIMIT 1
    ) AS found
    WHERE status = 'ONGOING'
      AND state IN ('STAGED', 'FAILED')
      AND operations_team_id IS NOT NULL
      AND NOT number_taken
  ),
  completed AS (
    UPDATE account_imports AS import
    SET
      state = 'COMPLETED',
      attempts = attempts + 1,
      last_error = NULL,
      updated_at = slot.at,
      completed_at = slot.at,
      service_account_number = slot.service_account_number
    FROM slot
    WHERE import.id = ANY (ARRAY(SELECT id FROM slot))
      AND import.id = slot.id
      AND import.state NOT IN ('SKIPPED', 'COMPLETED', 'UNDONE')
      AND ${mayCreate}
    RETURNING slot.*, import.tells_again, ${payload} AS payload
  ),
  ${accountRows({ lastStatementBalance })}`;
}
