import type { Queryable } from '@causeway/db';
import type { BulkWork } from './bulk-work.ts';
import { SAVE_CHUNK } from './claim-chunk.sql.ts';
import { type Cluster, cluster } from './clusters.ts';
import { addUp, type CountsJson, count, type SumsJson } from './line-outcome.ts';
import { failedRowsOf, numberOf, omittedOf, resultsOf } from './result-files.ts';
import type { WrittenPart } from './write-lines.ts';

/** A chunk as it was claimed: its row is locked until the transaction ends. */
export interface ClaimedChunk {
  number: number;
  first_line: number;
  lines: number;
  cursor: number;
  attempts: number;
  counts: CountsJson;
  sums: SumsJson;
  clusters: Cluster[];
}

/** When a part was begun, and when it was written. */
export interface PartTimes {
  started_at: Date;
  now: Date;
  /** When the rest is tried again; null: at once. */
  not_before: Date | null;
}

/** Writes what happened to a part of a chunk, in the transaction that did it: it is added to what was done before. */
export async function saveChunk(
  transaction: Queryable,
  { work, chunk, part }: { work: BulkWork; chunk: ClaimedChunk; part: WrittenPart },
  times: PartTimes,
): Promise<void> {
  const { done } = part;
  const outcomes = done.map(({ outcome }) => outcome);
  const cursor = chunk.cursor + done.length;
  const problems = done.map(({ line, outcome: { refusal } }) => {
    return { external_account_number: numberOf(line), refusal, warnings: line.warnings };
  });
  await transaction.query(SAVE_CHUNK, {
    ...{ id: work.id, run: work.run, number: chunk.number, cursor, ...times },
    attempts: triesAfter(part, chunk),
    is_moved: work.run_mode === 'REAL' && cursor === chunk.lines,
    counts: JSON.stringify(count(chunk.counts, outcomes)),
    sums: JSON.stringify(
      addUp(
        chunk.sums,
        done.map((each) => ({ ...each.outcome.added, omitted: omittedOf(each) })),
      ),
    ),
    clusters: JSON.stringify(cluster(chunk.clusters, problems)),
    results: resultsOf(done, work.run_mode),
    refused_lines: failedRowsOf(done),
  });
}

/** How often the next line was tried: as often as its chunk, unless lines before it were done. */
export function triesAfter({ done, failure }: WrittenPart, { attempts }: Pick<ClaimedChunk, 'attempts'>): number {
  if (failure === undefined) return 0;
  return done.length > 0 ? 1 : attempts + 1;
}
