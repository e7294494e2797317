import { Reconciliation, ReconciliationRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 23.5. */
export const cancelReconciliation = supplierProcedure(ReconciliationRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/reconciliations/{reconciliation_id}/cancel/',
      tags: ['Reconciliation'],
      summary: 'Cancel reconciliation',
      description:
        'Ends a reconciliation that is not wanted any more, without a verdict. The differences that it has found stay. ' +
        'Send an empty object.',
      successDescription: 'The reconciliation, which is CANCELLED.',
    },
    errors: ['reconciliation_does_not_exist', 'reconciliation_state_not_allowed'],
  })
  .output(answers(Reconciliation))
  .mutation(({ ctx, input }) => domain.cancelReconciliation(ctx, input));
