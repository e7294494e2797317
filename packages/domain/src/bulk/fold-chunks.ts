import { LIMITS } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import type { BulkWork } from './bulk-work.ts';
import { FOLD_BULK_CHUNKS } from './fold-chunks.sql.ts';

/** Fewer are read as they are. */
const FEWEST = 100;
/** So that no statement takes long. */
const MOST = 1_000;

/**
 * Folds the chunks of a run that are done into one row, if there are many (behaviour 21.5.2): whoever reads the job
 * adds up little, however many chunks it has. Any number of instances may try, and any of them may be killed.
 *
 * @returns how many chunks were folded
 */
export async function foldChunks(database: Database, { id, run }: Pick<BulkWork, 'id' | 'run'>): Promise<number> {
  const sizes = { fewest: FEWEST, most: MOST, names: LIMITS.bulk_undocumented_fields };
  const [folded] = await database.query(FOLD_BULK_CHUNKS, { id, run, ...sizes });
  return folded?.chunks ?? 0;
}
