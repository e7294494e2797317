import { CreateReconciliationRequest, Reconciliation } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 23.5. */
export const createReconciliation = supplierProcedure(CreateReconciliationRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/reconciliations/',
      tags: ['Reconciliation'],
      summary: 'Create reconciliation',
      description:
        'Compares a sealed manifest with the stored accounts of its import supplier, account by account and to the penny. It ' +
        'runs by itself: read it until it is FINISHED. Nothing has to stop meanwhile.',
      successDescription: 'The reconciliation, which waits for its turn.',
    },
    successStatus: 201,
    errors: ['manifest_does_not_exist', 'manifest_state_not_allowed', 'too_many_reconciliations'],
  })
  .output(answers(Reconciliation))
  .mutation(({ ctx, input }) => domain.createReconciliation(ctx, input));
