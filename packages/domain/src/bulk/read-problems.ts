import {
  AccountPayload,
  type BulkCluster,
  type BulkJobRequest,
  descriptionOfField,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
} from '@causeway/contracts';
import type { Context } from '../context.ts';
import { findBulkJob } from './find-bulk-job.ts';
import { READ_BULK_PROBLEMS } from './read-problems.sql.ts';

/** The requests in which a field of a step is documented. */
const REQUESTS = {
  notes: ImportNotesRequest,
  transactions: ImportTransactionsRequest,
  statements: ImportStatementsRequest,
  payment_instruction: ImportPaymentInstructionRequest,
};

/**
 * The problems of a job's last run, those of most lines first (behaviour 21.5). None has a value of a line. Refuses with
 * `bulk_job_does_not_exist`.
 */
export async function listBulkProblems(context: Context, { job_id }: BulkJobRequest): Promise<BulkCluster[]> {
  const { id, run } = await findBulkJob(context, job_id);
  const rows = await context.database.query(READ_BULK_PROBLEMS, { id, run });
  return rows.map(({ operation, refused, sample_account_numbers, ...problem }) => ({
    step: operation as BulkCluster['step'],
    ...problem,
    warning: !refused,
    description: descriptionOf(operation, problem.attr),
    samples: sample_account_numbers,
  }));
}

function descriptionOf(step: string, attr: string): string | null {
  const request = REQUESTS[step as keyof typeof REQUESTS];
  return (request && descriptionOfField(request, attr)) ?? descriptionOfField(AccountPayload, attr) ?? null;
}
