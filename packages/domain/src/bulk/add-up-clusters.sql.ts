import type { ImportOperation } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

/** The problems of a run's lines, those of most lines first, with samples of the first chunks that have them. */
export const ADD_UP_CLUSTERS = sql('add-up-bulk-clusters', {
  step: narrow<Exclude<ImportOperation, 'dry_run'>>('text'),
  code: 'text',
  attr: 'text',
  warning: 'boolean',
  accounts: 'integer',
  samples: narrow<string[][]>('jsonb'),
})`
  WITH found AS (
    SELECT
      number, step, code, attr, coalesce(warning, false) AS warning, accounts, samples,
      row_number() OVER (PARTITION BY step, code, attr, coalesce(warning, false) ORDER BY number) AS appearance
    FROM bulk_chunks
    CROSS JOIN jsonb_to_recordset(clusters)
      AS cluster (step text, code text, attr text, warning boolean, accounts integer, samples jsonb)
    WHERE job_id = ${'id'} AND run = ${'run'}
  )
  SELECT
    step,
    code,
    attr,
    warning,
    sum(accounts)::integer AS accounts,
    jsonb_agg(samples ORDER BY number) FILTER (WHERE appearance <= 3) AS samples
  FROM found
  GROUP BY step, code, attr, warning
  ORDER BY accounts DESC, step, code, attr
  LIMIT ${'limit'}`;
