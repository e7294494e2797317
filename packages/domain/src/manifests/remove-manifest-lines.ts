import type { Database } from '@causeway/db';
import { FIND_WITHDRAWN_MANIFESTS, REMOVE_MANIFEST_LINES } from './remove-manifest-lines.sql.ts';

/**
 * Removes the lines of manifests that are withdrawn, in batches (behaviour 22.4.3). Safe to run concurrently with
 * everything else, including other instances' removals.
 */
export async function removeManifestLines(database: Database): Promise<void> {
  for (const { id } of await database.query(FIND_WITHDRAWN_MANIFESTS, {})) {
    while ((await database.query(REMOVE_MANIFEST_LINES, { id })).length > 0);
  }
}
