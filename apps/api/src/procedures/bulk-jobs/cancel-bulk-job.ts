import { BulkJob, BulkJobRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.3. */
export const cancelBulkJob = supplierProcedure(BulkJobRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/bulk-jobs/{job_id}/cancel/',
      tags: ['Bulk jobs'],
      summary: 'Cancel bulk job',
      description:
        'Ends a job before its time. What it has done stays; the lines that it has not done can be downloaded. Send an ' +
        'empty object.',
      successDescription: 'The job, which is CANCELLED.',
    },
    errors: ['bulk_job_does_not_exist', 'bulk_job_state_not_allowed'],
  })
  .output(answers(BulkJob))
  .mutation(({ ctx, input }) => domain.cancelBulkJob(ctx, input));
