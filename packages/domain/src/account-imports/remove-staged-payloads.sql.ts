import { sql } from '@causeway/db';

/** The next ones after the last one found. */
export const FIND_STAGED_PAYLOADS = sql('find-staged-payloads', { id: 'uuid', completed_at: 'timestamptz | null' })`
  SELECT id, completed_at
  FROM account_imports
  WHERE completed_at <= ${'completed_until'}
    AND (completed_at, id) > (${'last_completed_at'}, ${'last_id'})
    AND completed_at IS NOT NULL
    AND payload IS NOT NULL
  ORDER BY completed_at, id
  LIMIT ${'limit'}`;

export const REMOVE_STAGED_PAYLOADS = sql('remove-staged-payloads')`
  UPDATE account_imports
  SET payload = NULL, payload_removed_at = ${'now'}
  WHERE id IN (
    SELECT id
    FROM account_imports
    WHERE id = ANY (${'ids'}) AND payload IS NOT NULL
    FOR UPDATE SKIP LOCKED
  )`;
