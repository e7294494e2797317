import { BulkJobPartsRequest, BulkJobPartsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.4. */
export const bulkJobParts = supplierProcedure(BulkJobPartsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/bulk-jobs/{job_id}/parts/',
      tags: ['Bulk jobs'],
      summary: 'List parts of bulk job',
      description:
        'The parts that are stored, each with the digest of its bytes: an upload that was interrupted sends the others, ' +
        'and knows that these are of the same book.',
      successDescription: 'The parts, in the order of their numbers.',
    },
    list: 'pages',
    errors: ['bulk_job_does_not_exist'],
  })
  .output(answers(BulkJobPartsResponse))
  .query(answerPage(domain.listBulkParts));
