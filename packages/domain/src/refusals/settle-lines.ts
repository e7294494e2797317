import { type Queryable, sql } from '@causeway/db';

/**
 * Settles the refused lines of accounts that exist, after something was stored of them: what the account has by now is
 * lacking no more, and a line of which nothing is lacking is resolved. `isFound`: a line that was sent later was found
 * stored, so that the account itself is what was sent last.
 */
export async function settleLines(
  queryable: Queryable,
  { ids, now, isFound = false }: { ids: readonly string[]; now: Date; isFound?: boolean },
): Promise<void> {
  if (ids.length > 0) await queryable.query(SETTLE_LINES, { ids, is_found: isFound, now });
}

const SETTLE_LINES = sql('settle-lines')`
  WITH found AS MATERIALIZED (
    SELECT account_import_id AS id, line_lacks(account_import_id,
      CASE WHEN ${'is_found'}::boolean THEN lacking - 'account' ELSE lacking END) AS left_over
    FROM account_import_refusals
    WHERE account_import_id = ANY (${'ids'}::uuid[]) AND operation = 'line' AND reported = ''
      AND resolved_at IS NULL AND is_created
    ORDER BY account_import_id
    FOR NO KEY UPDATE
  )
  UPDATE account_import_refusals
  SET lacking = left_over, is_unsettled = false, resolved_at = CASE WHEN left_over = '{}' THEN ${'now'}::timestamptz END
  FROM found
  WHERE account_import_id = id AND operation = 'line' AND reported = ''`;
