import { ListReconciliationsRequest, ListReconciliationsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 23.5. */
export const listReconciliations = supplierProcedure(ListReconciliationsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/reconciliations/',
      tags: ['Reconciliation'],
      summary: 'List reconciliations',
      description: 'The reconciliations of an import supplier, oldest first, without their figures.',
      successDescription: 'The reconciliations.',
    },
    list: 'pages',
    errors: ['import_supplier_does_not_exist'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListReconciliationsResponse))
  .query(answerPage(domain.listReconciliations));
