import { ReconciliationDifferencesRequest, ReconciliationDifferencesResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 23.5. */
export const reconciliationDifferences = supplierProcedure(ReconciliationDifferencesRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/reconciliations/{reconciliation_id}/differences/',
      tags: ['Reconciliation'],
      summary: 'Read differences of reconciliation',
      description:
        'Each figure of an account that differs, and each account that is only on one side, those of one account ' +
        'together. While the reconciliation runs, those that were found so far.',
      successDescription: 'The differences.',
    },
    list: 'rows',
    errors: ['reconciliation_does_not_exist'],
  })
  .output(answers(ReconciliationDifferencesResponse))
  .query(answerPage(domain.listReconciliationDifferences));
