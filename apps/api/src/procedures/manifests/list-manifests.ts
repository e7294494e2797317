import { ListManifestsRequest, ListManifestsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 22.4. */
export const listManifests = supplierProcedure(ListManifestsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/manifests/',
      tags: ['Reconciliation'],
      summary: 'List manifests',
      description: 'The manifests of an import supplier, oldest first.',
      successDescription: 'The manifests.',
    },
    list: 'pages',
    errors: ['import_supplier_does_not_exist'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListManifestsResponse))
  .query(answerPage(domain.listManifests));
