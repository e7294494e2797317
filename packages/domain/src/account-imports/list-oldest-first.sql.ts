import { sql } from '@causeway/db';

/**
 * Oldest staged first, after a place in that order: merges one ordered index range for each state, in one snapshot, so
 * that an account that changes its state meanwhile is there once.
 */
export const LIST_OLDEST_FIRST = sql('list-oldest-first', { id: 'uuid' })`
  SELECT found.id
  FROM unnest(${'states'}::text[]::account_import_state[]) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT id, staging_order
    FROM account_imports
    WHERE import_supplier_code = ${'code'}
      AND state = wanted.state
      AND staging_order > ${'after'}::bigint
    ORDER BY staging_order
    LIMIT ${'limit'}
  ) AS found
  ORDER BY found.staging_order
  LIMIT ${'limit'}`;
