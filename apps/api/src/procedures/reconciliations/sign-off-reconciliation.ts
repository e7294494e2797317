import { SignOffRequest, SignOffResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Signs a reconciliation off in the name of the person whose key is used (behaviour 24.3). */
export const signOffReconciliation = staffProcedure
  .input(SignOffRequest)
  .output(SignOffResponse)
  .mutation(({ ctx, input }) => domain.signOffReconciliation(ctx, input));
