import { BulkJob, BulkJobRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.3. */
export const resumeBulkJob = supplierProcedure(BulkJobRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/bulk-jobs/{job_id}/resume/',
      tags: ['Bulk jobs'],
      summary: 'Resume bulk job',
      description:
        'Resumes a job that is PAUSED, whatever the reason. After `too_many_refused` its limits of refused lines are ' +
        'removed for good; what kept failing is tried again. Send an empty object.',
      successDescription: 'The job, which is RUNNING.',
    },
    errors: ['bulk_job_does_not_exist', 'bulk_job_state_not_allowed'],
  })
  .output(answers(BulkJob))
  .mutation(({ ctx, input }) => domain.resumeBulkJob(ctx, input));
