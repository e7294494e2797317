import { LIMITS } from '@causeway/contracts';
import { fragment, narrow, rawSql, sql } from '@causeway/db';
import { firstSamples } from './fold-chunks.sql.ts';

/** The problems of a run: those of its folds, and those of the chunks that are in none of them. */
export const READ_BULK_PROBLEMS = sql('read-bulk-problems', {
  operation: 'text',
  refused: 'boolean',
  code: 'text',
  attr: 'text',
  accounts: 'integer',
  sample_account_numbers: narrow<string[]>('jsonb'),
})`
  WITH found AS (
    SELECT operation, refused, code, attr, accounts, sample_account_numbers, 0 AS first_line
    FROM bulk_problems
    WHERE job_id = ${'id'} AND run = ${'run'}
    UNION ALL
    SELECT
      cluster->>'step',
      NOT coalesce((cluster->>'warning')::boolean, false),
      cluster->>'code',
      coalesce(cluster->>'attr', ''),
      (cluster->>'accounts')::integer,
      cluster->'samples',
      first_line
    FROM bulk_chunks, jsonb_array_elements(clusters) AS cluster
    WHERE job_id = ${'id'} AND run = ${'run'} AND cursor > 0 AND NOT folded
  )
  SELECT operation, refused, code, attr, sum(accounts)::integer AS accounts,
    ${firstSamples(
      fragment`jsonb_path_query_array(jsonb_agg(sample_account_numbers ORDER BY first_line), '$[*][*]')`,
    )} AS sample_account_numbers
  FROM found
  GROUP BY operation, refused, code, attr
  ORDER BY accounts DESC, operation, code, attr
  LIMIT ${rawSql(String(LIMITS.bulk_problems))}`;
