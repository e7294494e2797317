import { randomUUIDv7 } from 'node:crypto';
import { type BulkJob, BulkJobSelectionRequest, type CreateBulkJobRequest, LIMITS } from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError, invalidField } from '../errors.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { CREATE_BULK_JOB, LOCK_BULK_JOBS, READ_BULK_LIMITS } from './create-bulk-job.sql.ts';
import { filesExpireAt } from './files-expire.ts';
import { getBulkJob } from './get-bulk-job.ts';

/**
 * Creates a bulk job, which is OPEN (behaviour 21.3). Refuses with `import_supplier_does_not_exist`,
 * `operations_team_name_does_not_exist`, `bulk_storage_full` if the import supplier has too many jobs that have not
 * ended, and `request_failed_validation` if its owner asks for more than the supplier's parallelism.
 */
export async function createBulkJob(context: Context, request: CreateBulkJobRequest): Promise<BulkJob> {
  const { import_supplier: code, kind, label = null, options } = request;
  await findImportSupplier(context, code, 'import_supplier');
  const id = randomUUIDv7();
  const selection = kind === 'PROCESS' ? (request.selection ?? BulkJobSelectionRequest.parse({})) : {};
  await context.database.transaction(async (transaction) => {
    await transaction.query(LOCK_BULK_JOBS, { import_supplier_code: code });
    const { operations_team_name = null } = options;
    const [limits] = await transaction.query(READ_BULK_LIMITS, { import_supplier_code: code, operations_team_name });
    if (limits !== undefined) refuseBeyond(limits, context, request);
    await transaction.query(CREATE_BULK_JOB, {
      ...auditValues(context, id),
      import_supplier_code: code,
      kind,
      label,
      options: JSON.stringify(options),
      selection: JSON.stringify(selection),
      files_expire_at: filesExpireAt(context),
    });
  });
  return getBulkJob(context, { job_id: id });
}

function refuseBeyond(
  { unfinished, bulk_parallelism, has_team }: RowOf<typeof READ_BULK_LIMITS>,
  { actor }: Context,
  { options }: CreateBulkJobRequest,
): void {
  if (options.operations_team_name !== undefined && !has_team) {
    throw new DomainError('operations_team_name_does_not_exist', 'There is no operations team with this name.', {
      attr: 'options.operations_team_name',
    });
  }
  if (actor.kind !== 'staff' && options.parallelism > bulk_parallelism) {
    const detail = `Must be at most ${bulk_parallelism}, the limit of this import supplier.`;
    throw invalidField('options.parallelism', detail, 'max_value');
  }
  if (unfinished >= LIMITS.bulk_unfinished_jobs) {
    const detail = `The import supplier has ${unfinished} bulk jobs that have not ended: cancel one, or wait for one.`;
    throw new DomainError('bulk_storage_full', detail);
  }
}
