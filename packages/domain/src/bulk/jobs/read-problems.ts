import { describeField } from '@causeway/book';
import { type BulkJobRequest, type BulkProblem, LIMITS } from '@causeway/contracts';
import { fragment, narrow, rawSql, sql } from '@causeway/db';
import { mayOnlyRead } from '../../shared/actor.ts';
import type { Context } from '../../shared/context.ts';
import { documentedPart } from '../../shared/refused-fields.ts';
import { firstSamples } from '../chunks/fold-chunks.ts';
import { findBulkJob } from './find-bulk-job.ts';

/**
 * The problems of a job's last run, those of most lines first (behaviour 21.5). None has a value of a line. Refuses
 * with `bulk_job_does_not_exist`.
 */
export async function listBulkProblems(context: Context, { job_id }: BulkJobRequest): Promise<BulkProblem[]> {
  const { id, run } = await findBulkJob(context, job_id);
  const rows = await context.database.query(READ_BULK_PROBLEMS, { id, run });
  const problems = rows.map(({ operation, ...problem }) => ({
    operation: operation as BulkProblem['operation'],
    ...problem,
    description: describeField(operation, problem.attr),
  }));
  return shownProblems(context, problems);
}

/**
 * To a key that may only read, without the names of undocumented fields: senders may have written names of people there
 * (behaviour 14.3.5).
 */
export function shownProblems(context: Context, problems: BulkProblem[]): BulkProblem[] {
  if (!mayOnlyRead(context)) return problems;
  return problems.map((problem) => ({ ...problem, attr: documentedPart(problem.attr) }));
}

/** The problems of a run: those of its folds, and those of the chunks that are in none of them. */
const READ_BULK_PROBLEMS = sql('read-bulk-problems', {
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
