import { SignOffRequest, SignOffResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Reconciliations (behaviour 24). */
export const reconciliations = {
  /** Signs a reconciliation off in the name of the person whose key is used (behaviour 24.3). */
  signOff: staffProcedure
    .input(SignOffRequest)
    .output(SignOffResponse)
    .mutation(({ ctx, input }) => domain.signOffReconciliation(ctx, input)),
};
