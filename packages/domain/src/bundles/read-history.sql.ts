import { fragment, sql } from '@causeway/db';
import { HISTORY } from '../account-imports/create-account.sql.ts';

/** The history that a payload carries, with what its rules depend on, as text; NULL if it carries none. */
export const HISTORY_TEXT = fragment`CASE WHEN payload ?| ${HISTORY} THEN (
        SELECT jsonb_object_agg(key, value)::text
        FROM jsonb_each(payload)
        WHERE key IN ('last_billed_to_date', 'last_statement_balance') OR key = ANY (${HISTORY})
      ) END`;

/**
 * The history of each account that was staged, without a lock: what is written is conditional on `times_staged`. The
 * state is checked then, too; here the plan might look for it instead of the id.
 */
export const READ_HISTORIES = sql('read-histories', {
  id: 'uuid',
  busy: 'boolean',
  times_staged: 'integer',
  history: 'text | null',
})`
  SELECT id, false AS busy, times_staged, ${HISTORY_TEXT} AS history
  FROM account_imports
  WHERE id = ANY (ARRAY(SELECT id FROM json_to_recordset(${'calls'}::json) AS input (id uuid)))`;
