import { ListEmailSuppressionsRequest, ListEmailSuppressionsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The addresses that get no e-mail (behaviour 29.5). */
export const listEmailSuppressions = staffProcedure
  .input(ListEmailSuppressionsRequest)
  .output(ListEmailSuppressionsResponse)
  .query(({ ctx, input }) => domain.listEmailSuppressions(ctx, input));
