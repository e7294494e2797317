import {
  type GetImportSupplierRequest,
  type ImportSupplier,
  type ImportSupplierCounts,
  type ImportSupplierDetail,
  type ListImportSuppliersRequest,
  type ListOwnImportSuppliersRequest,
  OwnImportSupplier,
  type OwnImportSupplierRequest,
} from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { findImportSupplier, unknownImportSupplier } from '../shared/find-import-supplier.ts';
import { cutPage, pageValues } from '../shared/list-page.ts';
import { type ImportSupplierRow, LIST_IMPORT_SUPPLIERS, READ_IMPORT_SUPPLIER } from './import-supplier.sql.ts';
import { importSupplierRecord } from './import-supplier-record.ts';

const NONE = { staged: 0, failed: 0, skipped: 0, completed: 0, undone: 0, incomplete: 0 };

/**
 * An import supplier with its configuration and the numbers of its account imports by state, and of those that are
 * complete (behaviour 14.4). An unknown code is `import_supplier_does_not_exist`.
 */
export async function getImportSupplier(
  context: Context,
  { code }: GetImportSupplierRequest,
): Promise<ImportSupplierDetail> {
  const [[row], stateCounts] = await Promise.all([
    context.database.query(READ_IMPORT_SUPPLIER, { code }),
    context.database.query(COUNT_BY_STATE, { code }),
  ]);
  if (row === undefined) {
    throw unknownImportSupplier();
  }
  const found = { ...NONE, ...Object.fromEntries(stateCounts.map(({ state, count }) => [state, count])) };
  const { incomplete, ...states } = found;
  const counts: ImportSupplierCounts = { ...states, complete: states.completed - incomplete };
  return { ...importSupplierRecord(context, row), counts };
}

const COUNT_BY_STATE = sql('count-account-imports-of-supplier', {
  state: narrow<keyof ImportSupplierCounts | 'incomplete'>('text'),
  count: 'integer',
})`
  SELECT lower(state::text) AS state, count(*)::integer AS count
  FROM account_imports
  WHERE import_supplier_code = ${'code'}
  GROUP BY state
  UNION ALL
  SELECT 'incomplete', coalesce(sum(accounts), 0)::integer
  FROM incomplete_account_counts
  WHERE import_supplier_code = ${'code'}`;

/** The import suppliers of one organisation or all, in the order of their codes (behaviour 14.4). */
export async function listImportSuppliers(
  context: Context,
  request: ListImportSuppliersRequest,
): Promise<ImportSupplier[]> {
  const { organisation_id = null } = request;
  const rows = await context.database.query(LIST_IMPORT_SUPPLIERS, { organisation_id, ...pageValues(request) });
  return rows.map((row) => importSupplierRecord(context, row));
}

/**
 * One import supplier that the caller may see, with its present status (behaviour 21.6). Refuses with
 * `import_supplier_does_not_exist`.
 */
export async function getOwnImportSupplier(
  context: Context,
  { import_supplier_code: code }: OwnImportSupplierRequest,
): Promise<OwnImportSupplier> {
  await findImportSupplier(context, code, 'import_supplier_code');
  const [row] = await context.database.query(READ_IMPORT_SUPPLIER, { code });
  if (row === undefined) throw unknownImportSupplier('import_supplier_code');
  return ownRecord(context, row);
}

/**
 * One page of the caller's import suppliers in the order of their codes (behaviour 21.6): `limit` (default 1,000) after
 * the code `after`. The service team sees all.
 */
export async function listOwnImportSuppliers(
  context: Context,
  request: ListOwnImportSuppliersRequest,
): Promise<{ records: OwnImportSupplier[]; next?: { after: string } }> {
  const { actor, database } = context;
  const { limit, after } = pageValues(request);
  const organisation_id = actor.kind === 'staff' ? null : actor.organisationId;
  const rows = await database.query(LIST_IMPORT_SUPPLIERS, { organisation_id, limit: limit + 1, after });
  return cutPage(
    rows.map((row) => ownRecord(context, row)),
    limit,
    ({ code }) => ({ after: code }),
  );
}

function ownRecord(context: Context, row: ImportSupplierRow): OwnImportSupplier {
  return OwnImportSupplier.parse({ ...importSupplierRecord(context, row), time_zone: context.timeZone });
}
