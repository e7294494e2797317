import { ReadAccountNotesRequest, ReadAccountNotesResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.16. */
export const listAccountNotes = supplierProcedure(ReadAccountNotesRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/accounts/{import_supplier_code}/{external_account_number}/notes/',
      operationId: 'listAccountNotes',
      tags: ['Reading back'],
      summary: 'Read notes',
      description:
        'The notes of an account as they are stored, in the order in which they were added, those that the service wrote included.',
      successDescription: 'The notes.',
    },
    list: 'pages',
    errors: ['import_supplier_does_not_exist', 'account_not_found', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist', 'account_not_found'],
  })
  .output(answers(ReadAccountNotesResponse))
  .query(answerPage(domain.listAccountNotes));
