import { rawSql, sql } from '@causeway/db';

/** Small enough that the statement ends long before its time-out. */
const REMOVED_AT_ONCE = rawSql('5000');

/** Those that are withdrawn and have lines, unless one of their reconciliations has not ended: it would miss them. */
export const FIND_WITHDRAWN_MANIFESTS = sql('find-withdrawn-manifests', { id: 'uuid' })`
  SELECT id
  FROM manifests AS manifest
  WHERE state = 'WITHDRAWN'
    AND EXISTS (
      SELECT
      FROM manifest_accounts
      WHERE manifest_id = manifest.id
    )
    AND NOT EXISTS (
      SELECT
      FROM reconciliations
      WHERE manifest_id = manifest.id AND state IN ('PLANNING', 'RUNNING')
    )
  ORDER BY id`;

export const REMOVE_MANIFEST_LINES = sql('remove-manifest-lines', { account_import_id: 'uuid' })`
  DELETE FROM manifest_accounts
  WHERE manifest_id = ${'id'} AND account_import_id IN (
    SELECT account_import_id
    FROM manifest_accounts
    WHERE manifest_id = ${'id'}
    ORDER BY account_import_id
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING account_import_id`;
