import { UndoBulkJobRequest, UndoBulkJobResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 30.3. */
export const undoBulkJob = supplierProcedure(UndoBulkJobRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/bulk-jobs/{job_id}/undo/',
      tags: ['Bulk jobs'],
      summary: 'Undo bulk job',
      description:
        'Starts a job that takes back the accounts that this one created, each as “Undo account” does. It is paused, resumed, ' +
        'cancelled and read like any other; an account that is kept is a refused line, whose `code` says why. Accounts that ' +
        'received something since are kept, unless `include_later` is sent with exactly their figures. With `dry_run` the job ' +
        'rolls back what it does: read its counts, sums and results first.',
      successDescription:
        'The job that undoes, which is RUNNING, and what accounts have that received something since.',
    },
    errors: [
      'bulk_job_does_not_exist',
      'bulk_job_state_not_allowed',
      'undo_not_allowed',
      'changed_since',
      'bulk_storage_full',
    ],
  })
  .output(answers(UndoBulkJobResponse))
  .mutation(({ ctx, input }) => domain.undoBulkJob(ctx, input));
