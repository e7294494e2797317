import { Reconciliation, ReconciliationRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 23.4. */
export const reconciliation = supplierProcedure(ReconciliationRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/reconciliations/{reconciliation_id}/',
      tags: ['Reconciliation'],
      summary: 'Read reconciliation',
      description:
        'How far a reconciliation is and, once it is FINISHED, its verdict: what the verdict covers, the totals of both ' +
        'sides line by line, and how many accounts differ in which way.',
      successDescription: 'The reconciliation.',
    },
    errors: ['reconciliation_does_not_exist'],
  })
  .output(answers(Reconciliation))
  .query(({ ctx, input }) => domain.getReconciliation(ctx, input));
