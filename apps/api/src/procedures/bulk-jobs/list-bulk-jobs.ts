import { ListBulkJobsRequest, ListBulkJobsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.5. */
export const listBulkJobs = supplierProcedure(ListBulkJobsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/bulk-jobs/',
      tags: ['Bulk jobs'],
      summary: 'List bulk jobs',
      description: 'The bulk jobs of an import supplier, oldest first, without their progress.',
      successDescription: 'The jobs.',
    },
    list: 'pages',
    errors: ['import_supplier_does_not_exist'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListBulkJobsResponse))
  .query(answerPage(domain.listBulkJobs));
