import { BulkJob, BulkJobRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.5. */
export const bulkJob = supplierProcedure(BulkJobRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/bulk-jobs/{job_id}/',
      tags: ['Bulk jobs'],
      summary: 'Read bulk job',
      description:
        'A job and its progress: the outcomes of its lines, what they add up to, its rate and when it is expected to ' +
        'finish. Only what is committed counts.',
      successDescription: 'The job.',
    },
    errors: ['bulk_job_does_not_exist'],
  })
  .output(answers(BulkJob))
  .query(({ ctx, input }) => domain.getBulkJob(ctx, input));
