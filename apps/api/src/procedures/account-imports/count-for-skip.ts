import { CountForSkipRequest, CountForSkipResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** How many accounts of a filter can be skipped (behaviour 14.6.7). */
export const countForSkip = staffProcedure
  .input(CountForSkipRequest)
  .output(CountForSkipResponse)
  .query(({ ctx, input }) => domain.countForSkip(ctx, input));
