import { sql } from '@causeway/db';
import { NO_TYPES } from './settle-refusals.sql.ts';

/** Resolves what was last seen before each success. Locked in the order of their key: several instances do this. */
export const RESOLVE_UNWRITTEN = sql('resolve-refusals-of-unwritten-successes')`
  WITH found AS MATERIALIZED (
    SELECT refusal.account_import_id, refusal.operation, refusal.reported, succeeded.at
    FROM unnest(${'ids'}::uuid[], ${'operations'}::text[], ${'ats'}::timestamptz[], ${'seen_before'}::timestamptz[])
      AS succeeded (id, operation, at, seen_before)
    JOIN account_import_refusals AS refusal ON refusal.account_import_id = succeeded.id
      AND refusal.operation = succeeded.operation
    WHERE refusal.resolved_at IS NULL AND refusal.last_seen_at < succeeded.seen_before
      AND NOT lacks_instruction(refusal, ${NO_TYPES})
    ORDER BY refusal.account_import_id, refusal.operation, refusal.reported
    FOR NO KEY UPDATE OF refusal
  )
  UPDATE account_import_refusals AS refusal
  SET resolved_at = found.at
  FROM found
  WHERE refusal.account_import_id = found.account_import_id
    AND refusal.operation = found.operation
    AND refusal.reported = found.reported`;
