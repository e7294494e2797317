import { BulkJob, SetBulkJobLimitsRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Bulk jobs. */
export const bulkJobs = {
  /** Changes how fast a bulk job works (behaviour 21.6). */
  setLimits: staffProcedure
    .input(SetBulkJobLimitsRequest)
    .output(BulkJob)
    .mutation(({ ctx, input }) => domain.setBulkJobLimits(ctx, input)),
};
