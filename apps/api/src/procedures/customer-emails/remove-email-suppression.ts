import { RemoveEmailSuppressionRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Removes an entry of the suppression list (behaviour 29.5). */
export const removeEmailSuppression = staffProcedure
  .input(RemoveEmailSuppressionRequest)
  .mutation(({ ctx, input }) => domain.removeEmailSuppression(ctx, input));
