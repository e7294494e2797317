import { BulkJob, SetBulkJobLimitsRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Changes how fast a bulk job works (behaviour 21.6). */
export const setBulkJobLimits = staffProcedure
  .input(SetBulkJobLimitsRequest)
  .output(BulkJob)
  .mutation(({ ctx, input }) => domain.setBulkJobLimits(ctx, input));
