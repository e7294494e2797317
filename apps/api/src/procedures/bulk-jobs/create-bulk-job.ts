import { BulkJob, CreateBulkJobRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.3. */
export const createBulkJob = supplierProcedure(CreateBulkJobRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/bulk-jobs/',
      tags: ['Bulk jobs'],
      summary: 'Create bulk job',
      description:
        'Creates a job that moves a whole book. It is OPEN: upload the book in parts, then start it. A PROCESS job takes no ' +
        'parts: it creates accounts that are staged already.',
      successDescription: 'The job, which is OPEN.',
    },
    successStatus: 201,
    errors: ['import_supplier_does_not_exist', 'operations_team_name_does_not_exist', 'bulk_storage_full'],
  })
  .output(answers(BulkJob))
  .mutation(({ ctx, input }) => domain.createBulkJob(ctx, input));
