import type { ImportSupplier } from '@causeway/contracts';
import type { ImportSupplier as ImportSupplierRow } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';

/** An import supplier as the service team sees it, with the full location of its documents (behaviour 2.3). */
export function importSupplierRecord(
  { documentBucket }: Pick<Context, 'documentBucket'>,
  row: ImportSupplierRow,
): ImportSupplier {
  return {
    code: row.code,
    name: row.name,
    organisation_id: row.organisation_id,
    status: row.status,
    country: row.country,
    document_root: row.document_root,
    document_location: `${documentBucket}/${row.document_root}/`,
    send_customer_emails: row.send_customer_emails,
    process_concurrency_limit: row.process_concurrency_limit,
    reject_undocumented_fields: row.reject_undocumented_fields,
    created_at: utcDatetime(row.created_at),
  };
}
