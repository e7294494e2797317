import { describeField } from '@causeway/book';
import type { BulkJobRequest, BulkProblem } from '@causeway/contracts';
import { mayOnlyRead } from '../api-keys/refuse-read-only.ts';
import type { Context } from '../context.ts';
import { documentedPart } from '../refusals/refused-fields.ts';
import { findBulkJob } from './find-bulk-job.ts';
import { READ_BULK_PROBLEMS } from './read-problems.sql.ts';

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
