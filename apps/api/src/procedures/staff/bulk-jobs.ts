import { BulkJob, SetBulkJobLimitsRequest, StaffUndoBulkJobRequest, UndoBulkJobResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Bulk jobs. */
export const bulkJobs = {
  /** Changes how fast a bulk job works (behaviour 21.6). */
  setLimits: staffProcedure
    .input(SetBulkJobLimitsRequest)
    .output(BulkJob)
    .mutation(({ ctx, input }) => domain.setBulkJobLimits(ctx, input)),

  /** Takes back the accounts that a bulk job created (behaviour 30.3). */
  undo: staffProcedure
    .input(StaffUndoBulkJobRequest)
    .output(UndoBulkJobResponse)
    .mutation(({ ctx, input }) => domain.undoBulkJob(ctx, input)),
};
