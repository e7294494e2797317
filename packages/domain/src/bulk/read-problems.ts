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

const MAX_SAMPLES = 3;

/**
 * The problems of a job's last run, those of most lines first (behaviour 21.5). None has a value of a line. Refuses with
 * `bulk_job_does_not_exist`.
 */
export async function listBulkProblems(context: Context, { job_id }: BulkJobRequest): Promise<BulkCluster[]> {
  const { id, run } = await findBulkJob(context, job_id);
  const rows = await context.database.query(READ_BULK_PROBLEMS, { id, run });
  return rows.map(({ step, samples, ...problem }) => ({
    step: step as BulkCluster['step'],
    ...problem,
    description: descriptionOf(step, problem.attr),
    samples: samples.flat().slice(0, MAX_SAMPLES),
  }));
}

function descriptionOf(step: string, attr: string): string | null {
  const request = REQUESTS[step as keyof typeof REQUESTS];
  return (request && descriptionOfField(request, attr)) ?? descriptionOfField(AccountPayload, attr) ?? null;
}
