import { fragment, sql } from '@causeway/db';
import { NO_TYPES } from './settle-refusals.sql.ts';

const KEY = fragment`refusal.account_import_id, refusal.operation, refusal.reported`;

/** Whether the payload of `import` carries what the operation of `refusal` imports (behaviour 4.17). */
const CARRIED = fragment`CASE refusal.operation
        WHEN 'notes' THEN import.payload->'notes' <> '[]'
        WHEN 'statements' THEN import.payload->'statements' <> '[]'
        WHEN 'transactions' THEN import.payload->'transactions' <> '[]'
          OR import.payload->'historical_transactions' <> '[]'
          OR import.payload#>'{ledgers,0,current_statement_transactions}' <> '[]'
          OR import.payload#>'{ledgers,0,historical_statement_transactions}' <> '[]'
        WHEN 'payment_instruction' THEN NOT lacks_instruction(refusal, ${NO_TYPES})
          AND (import.payload ? 'payment_instruction' OR import.payload->'payment_instructions' <> '[]')
      END`;

/**
 * Settles what was refused while its account was being created, skipped or erased: neither saw what the other wrote.
 * What is not expected any more is resolved. One instance at a time does this.
 *
 * - `run`: looks at what was seen since `recently`. If that was last done before `long_ago`, as after a stop, it looks at
 *   everything since then, and as much before it as the clocks of two instances may differ (`difference`, in seconds).
 * - `late`: locked in the order of their key, as everyone does who settles several.
 */
export const SETTLE_LATE_REFUSALS = sql('settle-late-refusals')`
  WITH lock AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(4210005) AS held
  ),
  run AS MATERIALIZED (
    SELECT
      settled_at < ${'long_ago'} AS is_thorough,
      CASE
        WHEN settled_at < ${'long_ago'} THEN settled_at - ${'difference'}::integer * interval '1 second'
        ELSE ${'recently'}
      END AS since
    FROM lock, refusal_settlements
    WHERE held
  ),
  noted AS (
    UPDATE refusal_settlements
    SET settled_at = ${'now'}
    FROM run
    WHERE is_thorough
  ),
  found AS MATERIALIZED (
    SELECT ${KEY}
    FROM account_import_refusals AS refusal
    JOIN account_imports AS import ON import.id = refusal.account_import_id
    WHERE refusal.resolved_at IS NULL
      AND NOT refusal.is_created
      AND refusal.last_seen_at >= (SELECT since FROM run)
      AND (import.state IN ('COMPLETED', 'SKIPPED') OR import.erased_at IS NOT NULL)
    UNION ALL
    SELECT ${KEY}
    FROM account_imports AS import
    JOIN account_import_refusals AS refusal ON refusal.account_import_id = import.id
    WHERE refusal.resolved_at IS NULL AND refusal.is_created AND import.erased_at >= (SELECT since FROM run)
  ),
  late AS MATERIALIZED (
    SELECT ${KEY}
    FROM found
    JOIN account_import_refusals AS refusal USING (account_import_id, operation, reported)
    WHERE refusal.resolved_at IS NULL
    ORDER BY ${KEY}
    FOR NO KEY UPDATE OF refusal
  )
  UPDATE account_import_refusals AS refusal
  SET
    is_staged = true,
    is_created = import.state = 'COMPLETED',
    resolved_at = CASE
      WHEN import.state = 'SKIPPED'
        OR import.erased_at IS NOT NULL
        OR (refusal.reported = '' AND (
          refusal.operation IN ('validate', 'process', 'dry_run')
          OR (refusal.last_seen_at <= import.completed_at AND ${CARRIED})
        ))
        THEN ${'now'}::timestamptz
    END
  FROM late
  JOIN account_imports AS import ON import.id = late.account_import_id
  WHERE (${KEY}) = (late.account_import_id, late.operation, late.reported)`;
