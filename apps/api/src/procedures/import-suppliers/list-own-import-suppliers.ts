import { ListOwnImportSuppliersRequest, ListOwnImportSuppliersResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.6. */
export const listOwnImportSuppliers = supplierProcedure(ListOwnImportSuppliersRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/import-suppliers/',
      tags: ['Status'],
      summary: 'List import suppliers',
      description: 'The import suppliers of your organisation, in the order of their codes, with their settings.',
      successDescription: 'The import suppliers.',
    },
    list: 'pages',
  })
  .output(answers(ListOwnImportSuppliersResponse))
  .query(answerPage(domain.listOwnImportSuppliers));
