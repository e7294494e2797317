import { BulkJobErrorsResponse, BulkJobRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.5. */
export const bulkJobErrors = supplierProcedure(BulkJobRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/bulk-jobs/{job_id}/errors/',
      tags: ['Bulk jobs'],
      summary: 'List problems of bulk job',
      description:
        'Why lines of the job were refused: the problems by step, kind and field, with the number of lines and a few of ' +
        'their account numbers. Never a value.',
      successDescription: 'The problems, those of most lines first.',
    },
    errors: ['bulk_job_does_not_exist'],
  })
  .output(answers(BulkJobErrorsResponse))
  .query(({ ctx, input }) => domain.listBulkProblems(ctx, input));
