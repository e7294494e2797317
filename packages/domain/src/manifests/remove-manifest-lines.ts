import { type Database, rawSql, sql } from '@causeway/db';

/**
 * Removes the lines of manifests that are withdrawn, in batches (behaviour 22.4.3). Safe to run concurrently with
 * everything else, including other instances' removals.
 */
export async function removeManifestLines(database: Database): Promise<void> {
  for (const { id } of await database.query(FIND_WITHDRAWN_MANIFESTS, {})) {
    while ((await database.query(REMOVE_MANIFEST_LINES, { id })).length > 0);
  }
}

/** Small enough that the statement ends long before its time-out. */
const REMOVED_AT_ONCE = rawSql('5000');

/** Those that are withdrawn and have lines, unless one of their reconciliations has not ended: it would miss them. */
const FIND_WITHDRAWN_MANIFESTS = sql('find-withdrawn-manifests', { id: 'uuid' })`
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

const REMOVE_MANIFEST_LINES = sql('remove-manifest-lines', { account_import_id: 'uuid' })`
  DELETE FROM manifest_accounts
  WHERE manifest_id = ${'id'} AND account_import_id IN (
    SELECT account_import_id
    FROM manifest_accounts
    WHERE manifest_id = ${'id'}
    ORDER BY account_import_id
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING account_import_id`;
