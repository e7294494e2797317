import type { BulkCluster } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { ADD_UP_CLUSTERS } from './add-up-clusters.sql.ts';

const MAX_SAMPLES = 3;

/** The problems of a run's lines, those of most lines first; what the fields mean is left to the caller. */
export async function addUpClusters(
  database: Queryable,
  of: { id: string; run: number; limit: number },
): Promise<BulkCluster[]> {
  const rows = await database.query(ADD_UP_CLUSTERS, of);
  return rows.map(({ samples, ...row }) => ({
    ...row,
    description: null,
    samples: samples.flat().slice(0, MAX_SAMPLES),
  }));
}
