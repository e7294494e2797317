import { type RowOf, sql } from '@causeway/db';
import { IS_NAMED_BY_INPUT } from './is-named.sql.ts';

// A process call holds the lock exclusively until it ends. Readers take it shared and do not block each other; a
// process call that arrives meanwhile waits for them. No other lock blocks a reader: a read is never busy.
export const ACCOUNT_STATUS = sql('account-status', {
  id: 'uuid',
  busy: 'boolean',
  service_account_number: 'text | null',
  in_progress: 'boolean',
})`
  SELECT input.id, false AS busy, import.service_account_number, import.in_progress
  FROM json_to_recordset(${'calls'}::json)
    AS input (id uuid, import_supplier_code text, external_account_number text, lock bigint)
  CROSS JOIN LATERAL (
    SELECT
      account.service_account_number,
      CASE WHEN account.account_import_id IS NULL
        THEN NOT pg_try_advisory_xact_lock_shared(input.lock) ELSE false END AS in_progress
    FROM account_imports AS import
    LEFT JOIN accounts AS account ON account.account_import_id = import.id
    WHERE import.id = input.id
      AND ${IS_NAMED_BY_INPUT}
    OFFSET 0
  ) AS import`;

export type AccountStatusRow = RowOf<typeof ACCOUNT_STATUS>;
