import type { BulkJobRecord, ListBulkJobsRequest } from '@causeway/contracts';
import type { Context } from '../shared/context.ts';
import { invalidField } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { pageSize } from '../shared/list-page.ts';
import { LIST_BULK_JOBS } from './bulk-job.sql.ts';
import { bulkJobRecord, readBulkJob } from './find-bulk-job.ts';

/**
 * One page of an import supplier's jobs, oldest first (behaviour 21.5): `limit` (default 1,000) after the job `after`.
 * No job ever appears in front of the end of a page. Refuses with `import_supplier_does_not_exist`, and with
 * `request_failed_validation` if `after` is none of its jobs.
 */
export async function listBulkJobs(
  context: Context,
  request: ListBulkJobsRequest,
): Promise<{ records: BulkJobRecord[]; next?: { import_supplier: string; after: string } }> {
  const { import_supplier } = request;
  await findImportSupplier(context, import_supplier, 'import_supplier');
  const rows = await context.database.query(LIST_BULK_JOBS, {
    import_supplier_code: import_supplier,
    after: await placeOf(context, request),
    limit: pageSize(request) + 1,
  });
  const records = rows.slice(0, pageSize(request)).map(bulkJobRecord);
  const last = records.at(-1);
  const isLast = last === undefined || records.length === rows.length;
  return isLast ? { records } : { records, next: { import_supplier, after: last.id } };
}

async function placeOf(context: Context, { import_supplier, after }: ListBulkJobsRequest): Promise<string> {
  if (after === undefined) return '0';
  const job = await readBulkJob(context, after);
  if (job?.import_supplier_code !== import_supplier) {
    throw invalidField('after', 'Must be the id of one of its jobs.');
  }
  return job.creation_order;
}
