import { sql } from '@causeway/db';
import { NO_TYPES } from './settle-refusals.sql.ts';

/** Resolves the open refusals of the calls' operations. Locked in the order of their key: several instances do this. */
export const RESOLVE_UNWRITTEN = sql('resolve-refusals-of-unwritten-successes', { id: 'uuid', busy: 'boolean' })`
  WITH input AS MATERIALIZED (
    SELECT id, operation, at
    FROM json_to_recordset(${'calls'}::json) AS input (id uuid, operation text, at timestamptz)
  ),
  found AS MATERIALIZED (
    SELECT refusal.account_import_id, refusal.operation, refusal.reported, input.at
    FROM input
    JOIN account_import_refusals AS refusal ON refusal.account_import_id = input.id
      AND refusal.operation = input.operation
    WHERE refusal.resolved_at IS NULL AND NOT lacks_instruction(refusal, ${NO_TYPES})
    ORDER BY refusal.account_import_id, refusal.operation, refusal.reported
    FOR NO KEY UPDATE OF refusal
  ),
  resolved AS (
    UPDATE account_import_refusals AS refusal
    SET resolved_at = found.at
    FROM found
    WHERE refusal.account_import_id = found.account_import_id
      AND refusal.operation = found.operation
      AND refusal.reported = found.reported
  )
  SELECT id, false AS busy FROM input`;
