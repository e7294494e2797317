import { SkipManyRequest, SkipManyResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Skips some of the accounts of a filter (behaviour 14.6.7). */
export const skipMany = staffProcedure
  .input(SkipManyRequest)
  .output(SkipManyResponse)
  .mutation(({ ctx, input }) => domain.skipMany(ctx, input));
