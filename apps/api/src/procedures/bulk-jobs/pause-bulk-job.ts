import { BulkJob, BulkJobRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.3. */
export const pauseBulkJob = supplierProcedure(BulkJobRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/bulk-jobs/{job_id}/pause/',
      tags: ['Bulk jobs'],
      summary: 'Pause bulk job',
      description:
        'Pauses a job that is RUNNING; in its first seconds it is PLANNING, and cannot be paused. What is being worked on is ' +
        'finished, which takes seconds. Send an empty object.',
      successDescription: 'The job, which is PAUSED.',
    },
    errors: ['bulk_job_does_not_exist', 'bulk_job_state_not_allowed'],
  })
  .output(answers(BulkJob))
  .mutation(({ ctx, input }) => domain.pauseBulkJob(ctx, input));
