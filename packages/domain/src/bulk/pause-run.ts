import { auditValues } from '../audit/audit-values.ts';
import { PAUSE_BULK_JOB } from './bulk-job-states.sql.ts';
import { type BulkDependencies, type BulkWork, type PauseReason, runContext } from './bulk-work.ts';
import { filesExpireAt } from './find-bulk-job.ts';

/** Pauses a job that cannot go on (behaviour 21.10); nothing happens unless it is running. */
export async function pauseRun(dependencies: BulkDependencies, work: BulkWork, reason: PauseReason): Promise<void> {
  const context = runContext(dependencies, work);
  await dependencies.database.query(PAUSE_BULK_JOB, {
    ...auditValues(context, work.id),
    files_expire_at: filesExpireAt(context),
    run: work.run,
    reason,
    detail: JSON.stringify({ reason }),
  });
}
