import { ListProgressRequest, ListProgressResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** How an import supplier's accounts have come along over a time (behaviour 14.9). */
export const listProgress = staffProcedure
  .input(ListProgressRequest)
  .output(ListProgressResponse)
  .query(({ ctx, input }) => domain.listProgress(ctx, input));
