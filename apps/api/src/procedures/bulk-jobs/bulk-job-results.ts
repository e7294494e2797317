import { BulkJobResultsRequest, BulkJobResultsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.5. */
export const bulkJobResults = supplierProcedure(BulkJobResultsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/bulk-jobs/{job_id}/results/',
      tags: ['Bulk jobs'],
      summary: 'Read results of bulk job',
      description:
        'What happened to each line, in the order of the lines, with the number of every account that was created. While ' +
        'the job runs, the lines that are not done yet are left out.',
      successDescription: 'The results.',
    },
    list: 'lines',
    errors: ['bulk_job_does_not_exist', 'bulk_files_expired'],
  })
  .output(answers(BulkJobResultsResponse))
  .query(answerPage(domain.listBulkResults));
