import type { ImportSupplier, UndocumentedFieldsMode } from '@causeway/contracts';
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
    email_sender: row.email_sender,
    email_unsubscribe: row.email_unsubscribe,
    process_concurrency_limit: row.process_concurrency_limit,
    reject_undocumented_fields: row.reject_undocumented_fields,
    undocumented_fields: undocumentedFieldsMode(row),
    empty_means_omitted: row.empty_means_omitted,
    statement_amount_unit: row.statement_amount_unit,
    account_types: row.account_types,
    balance_check: row.balance_check,
    bulk_parallelism: row.bulk_parallelism,
    created_at: utcDatetime(row.created_at),
  };
}

/** The columns of the setting `undocumented_fields`, and of its older form `reject_undocumented_fields`. */
type UndocumentedFieldsColumns = Pick<ImportSupplierRow, 'reject_undocumented_fields' | 'keep_undocumented_fields'>;

function undocumentedFieldsMode(row: UndocumentedFieldsColumns): UndocumentedFieldsMode {
  if (row.reject_undocumented_fields) return 'REJECT';
  return row.keep_undocumented_fields ? 'KEEP' : 'REPORT';
}

/**
 * The columns to write for the setting as it was sent; none if it was not. `reject_undocumented_fields: false` alone
 * leaves the other column: what is kept is still kept.
 */
export function undocumentedFieldsColumns(
  mode: UndocumentedFieldsMode | undefined,
  reject: boolean | undefined,
): Partial<UndocumentedFieldsColumns> {
  if (mode !== undefined || reject) return columnsOfMode(mode ?? 'REJECT');
  return reject === undefined ? {} : { reject_undocumented_fields: false };
}

/** The columns that together hold the setting `undocumented_fields`. */
export function columnsOfMode(mode: UndocumentedFieldsMode): UndocumentedFieldsColumns {
  return { reject_undocumented_fields: mode === 'REJECT', keep_undocumented_fields: mode === 'KEEP' };
}
