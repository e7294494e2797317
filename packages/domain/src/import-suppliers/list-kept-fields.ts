import { type ImportOperation, type KeptFieldCount, LIMITS, type ListKeptFieldsRequest } from '@causeway/contracts';
import { refuseReadOnly } from '../api-keys/refuse-read-only.ts';
import type { Context } from '../context.ts';
import { COUNT_KEPT_FIELDS } from '../kept-fields/kept-fields.ts';
import { findImportSupplier } from './find-import-supplier.ts';

/** So that it takes about a second at most, however many accounts there are. */
const COUNTED_ACCOUNTS = 50_000;

/**
 * The undocumented fields that are kept of an import supplier's accounts, counted by operation and path with list
 * indexes as `*`, those of most accounts first (behaviour 14.4.5); of many accounts the newest. An unknown code is
 * `import_supplier_does_not_exist`. Refuses a key that may only read: senders write names of people as names of fields.
 */
export async function listKeptFields(context: Context, { code }: ListKeptFieldsRequest): Promise<KeptFieldCount[]> {
  refuseReadOnly(
    context,
    'This key may only read, and is not shown names of undocumented fields: anything may be there.',
  );
  await findImportSupplier(context, code, 'code');
  const rows = await context.database.query(COUNT_KEPT_FIELDS, {
    code,
    accounts: COUNTED_ACCOUNTS,
    limit: LIMITS.kept_paths,
  });
  return rows.map((row) => ({ ...row, operation: row.operation as ImportOperation }));
}
