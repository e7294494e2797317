import type { ListReconciliationsRequest, ReconciliationRecord } from '@causeway/contracts';
import type { Context } from '../shared/context.ts';
import { invalidField } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { pageSize } from '../shared/list-page.ts';
import { readReconciliation } from './find-reconciliation.ts';
import { reconciliationRecord } from './get-reconciliation.ts';
import { LIST_RECONCILIATIONS } from './reconciliation.sql.ts';

/**
 * One page of an import supplier's reconciliations, oldest first (behaviour 23.5): `limit` (default 1,000) after the
 * reconciliation `after`. None ever appears in front of the end of a page. Refuses with
 * `import_supplier_does_not_exist`, and with `request_failed_validation` if `after` is none of them.
 */
export async function listReconciliations(
  context: Context,
  request: ListReconciliationsRequest,
): Promise<{ records: ReconciliationRecord[]; next?: { import_supplier: string; after: string } }> {
  const { import_supplier } = request;
  await findImportSupplier(context, import_supplier, 'import_supplier');
  const rows = await context.database.query(LIST_RECONCILIATIONS, {
    import_supplier_code: import_supplier,
    after: await placeOf(context, request),
    limit: pageSize(request) + 1,
  });
  const records = rows.slice(0, pageSize(request)).map(reconciliationRecord);
  const last = records.at(-1);
  const isLast = last === undefined || records.length === rows.length;
  return isLast ? { records } : { records, next: { import_supplier, after: last.id } };
}

async function placeOf(context: Context, { import_supplier, after }: ListReconciliationsRequest): Promise<string> {
  if (after === undefined) return '0';
  const found = await readReconciliation(context, after);
  if (found?.import_supplier_code !== import_supplier) {
    throw invalidField('after', 'Must be the id of one of its reconciliations.');
  }
  return found.creation_order;
}
