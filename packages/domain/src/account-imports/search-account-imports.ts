import {
  AccountImportState,
  LIMITS,
  type ListedAccountImport,
  type StaffListAccountImportsRequest,
} from '@causeway/contracts';
import { type Fragment, fragment, sql } from '@causeway/db';
import { mayOnlyRead } from '../shared/actor.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { invalidAfter } from '../shared/list-page.ts';
import { searchByNumber } from './search-by-number.ts';
import { READ_STAFF_RECORD, STAFF_COLUMNS, STAFF_FIELDS, staffAccountImport } from './staff-account-import.ts';

/**
 * The account imports of one supplier for the service team, oldest staged first (behaviour 14.6): all, or those in one
 * state, or the created ones that are complete or not. Those whose external or service account number begins with
 * `search` are in the order of their numbers, unless the complete ones are asked for. One page of `limit`, after the
 * account `after`. Refuses with `import_supplier_does_not_exist`, and with `request_failed_validation` if `after` was
 * never staged.
 */
export async function searchAccountImports(
  context: Context,
  request: StaffListAccountImportsRequest,
): Promise<ListedAccountImport[]> {
  const { code, state, complete, search = '', limit = LIMITS.list_default, after } = request;
  await findImportSupplier(context, code, 'code');
  const last = after === undefined ? undefined : await findLast(context, { code, after });
  const states = state === undefined ? AccountImportState.options : [state];
  const page = { code, limit };
  const place = { ...page, after: last?.staging_order ?? '0' };
  if (complete !== undefined) {
    if (!states.includes('COMPLETED')) return [];
    const statement = complete ? COMPLETE_ACCOUNTS : INCOMPLETE_ACCOUNTS;
    const starts_with = search === '' ? null : literal(search);
    return recordsOf(context, await context.database.query(statement, { ...place, starts_with }));
  }
  return recordsOf(
    context,
    search === ''
      ? await context.database.query(LIST_OLDEST_FIRST, { ...place, states: [...states] })
      : await searchByNumber(context, { ...page, search, states, after: last }),
  );
}

/** The account after which a page begins. */
async function findLast({ database }: Context, { code, after }: { code: string; after: string }) {
  const [last] = await database.query(READ_STAFF_RECORD, accountKey(code, after));
  if (last === undefined) throw invalidAfter();
  return last;
}

/** Their records, in the same order. */
async function recordsOf(context: Context, found: { id: string }[]): Promise<ListedAccountImport[]> {
  const rows = await context.database.query(READ_STAFF_RECORDS, { ids: found.map(({ id }) => id) });
  const masked = mayOnlyRead(context);
  return rows.map(({ complete, ...row }) => ({ ...staffAccountImport(row, { masked }), complete }));
}

const READ_STAFF_RECORDS = sql('read-staff-records', { ...STAFF_COLUMNS, complete: 'boolean' })`
  SELECT ${STAFF_FIELDS},
    import.state = 'COMPLETED' AND incomplete.account_import_id IS NULL AS complete
  FROM unnest(${'ids'}::uuid[]) WITH ORDINALITY AS wanted (id, position)
  JOIN account_imports AS import ON import.id = wanted.id
  LEFT JOIN accounts AS account ON account.account_import_id = import.id
  LEFT JOIN incomplete_accounts AS incomplete ON incomplete.account_import_id = import.id
  ORDER BY wanted.position`;

/** As a pattern of LIKE. */
function literal(search: string): string {
  return search.replaceAll(/[\\%_]/g, '\\$&');
}

function pageBy(order: Fragment) {
  return fragment`
    AND import.state = 'COMPLETED'
    AND ${order} > ${'after'}::bigint
    AND (
      ${'starts_with'}::text IS NULL
      OR import.external_account_number LIKE ${'starts_with'} || '%'
      OR import.service_account_number LIKE ${'starts_with'} || '%'
    )
  ORDER BY ${order}
  LIMIT ${'limit'}`;
}

/** Created accounts without an open refusal, oldest staged first. */
const COMPLETE_ACCOUNTS = sql('list-complete-accounts', { id: 'uuid' })`
  SELECT import.id
  FROM account_imports AS import
  WHERE import.import_supplier_code = ${'code'}
    AND NOT EXISTS (SELECT FROM incomplete_accounts WHERE account_import_id = import.id)
    ${pageBy(fragment`import.staging_order`)}`;

/** Created accounts with one: in the order of an index of their own, however many there are. */
const INCOMPLETE_ACCOUNTS = sql('list-incomplete-accounts', { id: 'uuid' })`
  SELECT import.id
  FROM incomplete_accounts AS incomplete
  CROSS JOIN LATERAL (
    SELECT *
    FROM account_imports
    WHERE id = incomplete.account_import_id
    OFFSET 0
  ) AS import
  WHERE incomplete.import_supplier_code = ${'code'}
    ${pageBy(fragment`incomplete.staging_order`)}`;

/**
 * Oldest staged first, after a place in that order: merges one ordered index range for each state, in one snapshot, so
 * that an account that changes its state meanwhile is there once.
 */
export const LIST_OLDEST_FIRST = sql('list-oldest-first', { id: 'uuid' })`
  SELECT found.id
  FROM unnest(${'states'}::text[]::account_import_state[]) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT id, staging_order
    FROM account_imports
    WHERE import_supplier_code = ${'code'}
      AND state = wanted.state
      AND staging_order > ${'after'}::bigint
    ORDER BY staging_order
    LIMIT ${'limit'}
  ) AS found
  ORDER BY found.staging_order
  LIMIT ${'limit'}`;
