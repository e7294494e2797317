import { BulkJob, StartBulkJobRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.3. */
export const startBulkJob = supplierProcedure(StartBulkJobRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/bulk-jobs/{job_id}/start/',
      tags: ['Bulk jobs'],
      summary: 'Start bulk job',
      description:
        'Starts a job that is OPEN, for real or as a rehearsal, or one that was rehearsed. From then on it takes no more ' +
        'parts. Announce how many `parts` and `lines` your book has, and nothing is started if some are missing: without ' +
        'them, a last part that was never received is not noticed.',
      successDescription: 'The job, which is PLANNING.',
    },
    errors: ['bulk_job_does_not_exist', 'bulk_job_state_not_allowed', 'bulk_parts_missing'],
  })
  .output(answers(BulkJob))
  .mutation(({ ctx, input }) => domain.startBulkJob(ctx, input));
