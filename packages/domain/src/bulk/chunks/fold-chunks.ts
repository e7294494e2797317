import { LIMITS } from '@causeway/contracts';
import { type Database, type Fragment, fragment, sql } from '@causeway/db';
import { ADDED_UP, SLOT_SECONDS } from '../jobs/bulk-figures.sql.ts';
import type { BulkWork } from './bulk-work.ts';

/** Fewer are read as they are. */
const FEWEST = 100;
/** So that no statement takes long. */
const MOST = 1_000;

/**
 * Folds the chunks of a run that are done into one row, if there are many (behaviour 21.5.2): anyone who reads the job
 * adds up little, however many chunks it has. Any number of instances may try, and any of them may be killed.
 *
 * @returns how many chunks were folded
 */
export async function foldChunks(database: Database, { id, run }: Pick<BulkWork, 'id' | 'run'>): Promise<number> {
  const sizes = { fewest: FEWEST, most: MOST, names: LIMITS.bulk_undocumented_fields };
  const [folded] = await database.query(FOLD_BULK_CHUNKS, { id, run, ...sizes });
  return folded?.chunks ?? 0;
}

/** As many of a JSON list as a problem has. */
export const firstSamples = (samples: Fragment) => fragment`jsonb_path_query_array(${samples}, '$[0 to 2]')`;

/**
 * Folds up to `most` chunks of a run that are done, if there are `fewest`, in one statement: each is counted in one
 * fold from then on, no longer where it is. No row if another instance does it. Undocumented fields have names that a
 * client chooses: beyond `names` of them, problems are counted together.
 */
export const FOLD_BULK_CHUNKS = sql('fold-bulk-chunks', { chunks: 'integer' })`
  WITH lock AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(hashtextextended('bulk_folds ' || ${'id'}::uuid, 0)) AS held
  ),
  ready AS MATERIALIZED (
    SELECT number
    FROM bulk_chunks
    WHERE job_id = ${'id'} AND run = ${'run'} AND cursor > 0 AND NOT folded
      AND done
      AND (SELECT held FROM lock)
    ORDER BY number
    LIMIT ${'most'}
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  chunk AS (
    UPDATE bulk_chunks
    SET folded = true
    WHERE job_id = ${'id'} AND run = ${'run'}
      AND number IN (SELECT number FROM ready)
      AND (SELECT count(*) FROM ready) >= ${'fewest'}::integer
    RETURNING number, first_line, lines, counts, sums, clusters, started_at AS begun_at, finished_at,
      coalesce(octet_length(results), 0) + coalesce(octet_length(refused_lines), 0) AS stored_bytes
  ),
  part AS (
    SELECT lines, counts, sums, begun_at
    FROM chunk
  ),
  fold AS (
    INSERT INTO bulk_folds (job_id, run, number, stored_bytes, ended_at, slots, lines, counts, sums, begun_at)
    SELECT ${'id'}, ${'run'}, (SELECT min(number) FROM chunk), (SELECT sum(stored_bytes) FROM chunk),
      (SELECT max(finished_at) FROM chunk),
      (
        SELECT jsonb_object_agg(slot, lines)
        FROM (
          SELECT floor(extract(epoch FROM finished_at) / ${SLOT_SECONDS})::bigint AS slot, sum(lines) AS lines
          FROM chunk
          GROUP BY slot
        ) AS of_slot
      ),${ADDED_UP}
    HAVING count(*) > 0
  ),
  found AS (
    SELECT
      cluster->>'step' AS operation,
      NOT coalesce((cluster->>'warning')::boolean, false) AS refused,
      cluster->>'code' AS code,
      coalesce(cluster->>'attr', '') AS attr,
      (cluster->>'accounts')::integer AS accounts,
      cluster->'samples' AS samples,
      first_line
    FROM chunk, jsonb_array_elements(clusters) AS cluster
  ),
  kind AS (
    SELECT operation, refused, code, attr, EXISTS (
        SELECT
        FROM bulk_problems AS known
        WHERE job_id = ${'id'} AND run = ${'run'}
          AND (known.operation, known.refused, known.code, known.attr)
            = (found.operation, found.refused, found.code, found.attr)
      ) AS is_known
    FROM found
    GROUP BY operation, refused, code, attr
  ),
  named AS (
    SELECT operation, refused, code, attr, CASE
        WHEN is_known OR code <> 'undocumented_field' OR row_number() OVER (
            PARTITION BY is_known OR code <> 'undocumented_field'
            ORDER BY operation, refused, attr
          ) <= ${'names'}::integer - (
            SELECT count(*)
            FROM bulk_problems
            WHERE job_id = ${'id'} AND run = ${'run'} AND code = 'undocumented_field'
          )
        THEN attr
        ELSE '…'
      END AS name
    FROM kind
  ),
  problem AS (
    INSERT INTO bulk_problems AS known
      (job_id, run, id, operation, refused, code, attr, accounts, sample_account_numbers)
    SELECT ${'id'}, ${'run'}, md5(concat_ws(' ', operation, refused, code, name))::uuid, operation, refused, code, name,
      sum(accounts),
      ${firstSamples(fragment`jsonb_path_query_array(jsonb_agg(samples ORDER BY first_line), '$[*][*]')`)}
    FROM found
    JOIN named USING (operation, refused, code, attr)
    GROUP BY operation, refused, code, name
    ON CONFLICT (job_id, run, id) DO UPDATE SET
      accounts = known.accounts + excluded.accounts,
      sample_account_numbers =
        ${firstSamples(fragment`known.sample_account_numbers || excluded.sample_account_numbers`)}
  )
  SELECT count(*)::integer AS chunks
  FROM chunk`;
