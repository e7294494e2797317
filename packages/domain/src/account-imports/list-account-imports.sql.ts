import { type AccountImportState, LIMITS } from '@causeway/contracts';
import { fragment, rawSql, sql } from '@causeway/db';

const ALL_STATES: AccountImportState[] = ['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED'];

/** The lists, by the names of their procedures. */
export const LISTS = {
  listAccountImports: listOf('list-account-imports', ALL_STATES),
  listPendingImports: listOf('list-pending-imports', ['STAGED', 'FAILED']),
  listImportedAccounts: listOf('list-imported-accounts', ['COMPLETED']),
};
export type ListName = keyof typeof LISTS;
export type List = ReturnType<typeof listOf>;

function listOf(name: string, states: AccountImportState[]) {
  return { page: pageOf(name, states), text: textOf(`${name}-text`, states) };
}

/** One page as rows: `limit` account imports of the supplier after `after_id`, or from the first if it is null. */
function pageOf(name: string, states: AccountImportState[]) {
  const columns = {
    external_account_number: 'text',
    service_account_number: 'text | null',
    account_created_at: 'timestamptz | null',
  } as const;
  return sql(name, columns)`
    WITH after AS MATERIALIZED (
      SELECT 0 AS staging_order
      WHERE ${'after_id'}::uuid IS NULL
      UNION ALL
      SELECT staging_order
      FROM account_imports
      WHERE id = ${'after_id'}
        AND import_supplier_code = ${'import_supplier_code'}
        AND external_account_number = ${'after_number'}
    )
    SELECT external_account_number, service_account_number, account_created_at
    FROM ${recordsOf(states)}
    ORDER BY staging_order`;
}

// PostgreSQL escapes what JSON.stringify escapes, in the same way (a test compares all of it), and a text takes a tenth
// of the time of as many rows (docs/decisions/0014).
/**
 * One page as JSON text, each record preceded by a comma: `limit` account imports of the supplier after the staging
 * order.
 */
function textOf(name: string, states: AccountImportState[]) {
  return sql(name, { records: 'integer', staging_order: 'bigint | null', text: 'text | null' })`
    WITH after AS MATERIALIZED (SELECT ${'staging_order'}::bigint AS staging_order)
    SELECT
      count(*)::integer AS records,
      max(staging_order) AS staging_order,
      string_agg(
        ',{"external_account_number":' || to_json(external_account_number) || CASE WHEN service_account_number IS NULL
          THEN ',"service_account_number":null,"account_created_at":null}'
          ELSE ',"service_account_number":' || to_json(service_account_number) || ',"account_created_at":' ||
            coalesce(left(to_json(account_created_at)::text, 20) || 'Z"', 'null') || '}'
        END, '' ORDER BY staging_order) AS text
    FROM ${recordsOf(states)}`;
}

// Merges one ordered index range per state: the cost depends on the page, not on the number of imports. The inner limit
// is a constant, so that the cached generic plan suits a page too. OFFSET 0 prevents a join that reads all accounts;
// only the few without a copy of their number are looked up.
function recordsOf(states: AccountImportState[]) {
  const ranges = states.map(rangeOf).reduce((all, range) => fragment`${all} UNION ALL ${range}`);
  return fragment`(
      SELECT
        import.staging_order,
        import.external_account_number,
        coalesce(import.service_account_number, account.service_account_number) AS service_account_number,
        coalesce(account.created_at, import.completed_at) AS account_created_at
      FROM (SELECT * FROM (${ranges}) AS ranges ORDER BY staging_order LIMIT ${'limit'}) AS import
      LEFT JOIN LATERAL (
        SELECT service_account_number, created_at
        FROM accounts
        WHERE import.state = 'COMPLETED' AND import.service_account_number IS NULL AND account_import_id = import.id
        OFFSET 0
      ) AS account ON true
    ) AS record`;
}

function rangeOf(state: AccountImportState) {
  return fragment`(
        SELECT id, state, external_account_number, service_account_number, completed_at, staging_order
        FROM account_imports
        WHERE import_supplier_code = ${'import_supplier_code'}
          AND state = '${rawSql(state)}'
          AND staging_order > (SELECT staging_order FROM after)
        ORDER BY staging_order
        LIMIT ${rawSql(String(LIMITS.list))}
      )`;
}

/** An account's position in the lists; no row if it was never staged. */
export const STAGING_ORDER = sql('staging-order', { staging_order: 'bigint' })`
  SELECT staging_order
  FROM account_imports
  WHERE id = ${'id'}
    AND import_supplier_code = ${'import_supplier_code'}
    AND external_account_number = ${'external_account_number'}`;
