import { LIMITS } from '@causeway/contracts';
import { narrow, rawSql, sql } from '@causeway/db';

/** The problems of a run, added up over its chunks; samples are those of the first chunks that have the problem. */
export const READ_BULK_PROBLEMS = sql('read-bulk-problems', {
  step: 'text',
  code: 'text',
  attr: 'text',
  warning: 'boolean',
  accounts: 'integer',
  samples: narrow<string[][]>('jsonb'),
})`
  SELECT
    cluster->>'step' AS step,
    cluster->>'code' AS code,
    coalesce(cluster->>'attr', '') AS attr,
    coalesce((cluster->>'warning')::boolean, false) AS warning,
    sum((cluster->>'accounts')::integer)::integer AS accounts,
    to_jsonb((array_agg(cluster->'samples' ORDER BY first_line))[1:3]) AS samples
  FROM bulk_chunks, jsonb_array_elements(clusters) AS cluster
  WHERE job_id = ${'id'} AND run = ${'run'}
  GROUP BY 1, 2, 3, 4
  ORDER BY accounts DESC, step, code, attr
  LIMIT ${rawSql(String(LIMITS.bulk_problems))}`;
