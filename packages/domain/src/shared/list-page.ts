import { LIMITS } from '@causeway/contracts';
import { fragment, rawSql, type SqlStatement } from '@causeway/db';
import type { Context } from './context.ts';
import { DomainError, invalidField } from './errors.ts';
import { findImportSupplier } from './find-import-supplier.ts';

/** The requested part of a list: `after` is the key of the last record received. */
export interface PageRequest {
  limit?: number | undefined;
  after?: string | undefined;
}

/** How many records a list returns; 1,000 by default (behaviour 4.12). */
export function pageSize({ limit = LIMITS.list_default }: Pick<PageRequest, 'limit'>): number {
  return limit;
}

/** A page of a staff list, oldest first, as a condition. A page after a record that does not exist is empty. */
export function pageById(table: string) {
  return fragment`(
      ${'after'}::uuid IS NULL
      OR (created_at, id) > (SELECT created_at, id FROM ${rawSql(table)} WHERE id = ${'after'})
    )
  ORDER BY created_at, id
  LIMIT ${'limit'}`;
}

/** The values of its parameters, and of a list by code. */
export function pageValues(request: PageRequest) {
  return { limit: pageSize(request), after: request.after ?? null };
}

/** The refusal of a list's `after` that names no account of the supplier. */
export function invalidAfter(): DomainError {
  const detail =
    'No account with this number was staged: give the external_account_number of the last record received.';
  return new DomainError('request_failed_validation', 'The request failed validation.', {
    errors: [{ detail, code: 'invalid', attr: 'after' }],
  });
}

/** A page of records, and what leads to the next one if there is one. */
export interface Page<Item, Next> {
  records: Item[];
  next?: Next;
}

/** Cuts a page to `limit` records: a statement returns one more if there are more. */
export function cutPage<Item, Next>(found: Item[], limit: number, nextAfter: (last: Item) => Next): Page<Item, Next> {
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return last === undefined || records.length === found.length ? { records } : { records, next: nextAfter(last) };
}

interface RequestOfSupplier extends PageRequest {
  import_supplier: string;
}

interface ListOfSupplier<Row, Item> {
  /** `limit` of them after a place, oldest first. */
  statement: SqlStatement<Row, 'import_supplier_code' | 'after' | 'limit'>;
  record(row: Row): Item;
  /** One that the caller may see. */
  read(context: Context, id: string): Promise<{ import_supplier_code: string; creation_order: string } | undefined>;
  /** What they are called: `jobs`. */
  name: string;
}

/**
 * One page of what an import supplier has, oldest first: `limit` (default 1,000) after the record `after`. None ever
 * appears in front of the end of a page. Refuses with `import_supplier_does_not_exist`, and with
 * `request_failed_validation` if `after` is none of them.
 */
export async function listOfSupplier<Row, Item extends { id: string }>(
  context: Context,
  request: RequestOfSupplier,
  { statement, record, read, name }: ListOfSupplier<Row, Item>,
): Promise<Page<Item, { import_supplier: string; after: string }>> {
  const { import_supplier, after } = request;
  await findImportSupplier(context, import_supplier, 'import_supplier');
  const front = { import_supplier_code: import_supplier, creation_order: '0' };
  const place = after === undefined ? front : await read(context, after);
  if (place?.import_supplier_code !== import_supplier) {
    throw invalidField('after', `Must be the id of one of its ${name}.`);
  }
  const limit = pageSize(request);
  const rows = await context.database.query(statement, {
    import_supplier_code: import_supplier,
    after: place.creation_order,
    limit: limit + 1,
  });
  return cutPage(rows.map(record), limit, ({ id }) => ({ import_supplier, after: id }));
}
