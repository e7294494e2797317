import { auditValues } from '../audit/audit-values.ts';
import { GO_ON_WITH_BULK_JOB } from './bulk-job-states.sql.ts';
import { type BulkDependencies, type BulkWork, runContext } from './bulk-work.ts';

/** Goes on with a job that was paused because its import supplier was not ongoing, and is again (behaviour 21.10). */
export async function goOnWithRun(dependencies: BulkDependencies, work: BulkWork): Promise<void> {
  const audit = auditValues(runContext(dependencies, work), work.id);
  await dependencies.database.query(GO_ON_WITH_BULK_JOB, { ...audit, run: work.run, detail: '{}' });
}
