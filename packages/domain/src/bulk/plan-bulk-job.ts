import { type BulkJobSelection, LIMITS } from '@causeway/contracts';
import { auditValues } from '../audit/audit-values.ts';
import { type BulkDependencies, type BulkWork, runContext } from './bulk-work.ts';
import { LOCK_PLANNED_JOB, PLAN_COHORT, PLAN_UPLOAD, PLANNED, REMOVE_CHUNKS } from './plan-bulk-job.sql.ts';

/** A job that was started, and has no chunks yet. */
export interface PlannedWork extends BulkWork {
  selection: Partial<BulkJobSelection>;
}

/**
 * Divides the lines of a job into chunks, in one transaction (behaviour 21.7): a service that dies meanwhile leaves
 * none of them. A cohort is what is staged now. Nothing is done if another instance plans the job.
 *
 * @returns how many lines it has; undefined if it was not planned here
 */
export function planBulkJob(dependencies: BulkDependencies, work: PlannedWork): Promise<number | undefined> {
  const { id, run, kind, import_supplier_code } = work;
  const { states = ['STAGED', 'FAILED'], staged_before = null } = work.selection;
  const audit = auditValues(runContext(dependencies, work), id);
  return dependencies.database.transaction(async (transaction) => {
    const [job] = await transaction.query(LOCK_PLANNED_JOB, { id, run });
    if (job === undefined) return undefined;
    await transaction.query(REMOVE_CHUNKS, { id });
    if (kind === 'PROCESS') {
      const cohort = { import_supplier_code, states, staged_before, chunk_lines: LIMITS.bulk_chunk_lines };
      await transaction.query(PLAN_COHORT, { id, run, ...cohort });
    } else await transaction.query(PLAN_UPLOAD, { id, run });
    const [planned] = await transaction.query(PLANNED, { ...audit, run });
    return planned?.lines ?? undefined;
  });
}
