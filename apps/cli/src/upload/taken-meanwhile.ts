import type { BulkJob } from '@causeway/contracts';
import { Failure } from '../frame/failure.ts';
import { readJob } from '../jobs/job-calls.ts';
import type { Service } from '../session/open-service.ts';

/**
 * What a refusal of a job that was OPEN a moment ago means: somebody else has started or cancelled it since. Any other
 * error as it is.
 */
export async function unlessTaken(service: Service, { id }: Pick<BulkJob, 'id'>, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure && error.code === 'bulk_job_state_not_allowed')) return error;
  const { label, state } = await readJob(service, id);
  const { code } = error;
  if (state === 'CANCELLED') {
    const lines = ['  Nothing is moved. The same command begins another job.'];
    return new Failure('usage', `Job ${id} was cancelled while the book was being uploaded.`, { code, lines });
  }
  const sentence = `${label ?? 'This book'} is being uploaded by another run too, which has started job ${id}.`;
  const lines = [`  Wait for its end, which is that of this book: causeway jobs watch ${id}`];
  return new Failure('usage', sentence, { code, lines });
}
