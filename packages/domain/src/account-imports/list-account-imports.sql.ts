import { type AccountImportState, LIMITS } from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { IS_NAMED } from '../shared/conditions.sql.ts';

/** Which account imports a list has, and the number that orders them. */
interface Contents {
  states: AccountImportState[];
  order: Fragment;
}

const STAGED_FIRST = fragment`staging_order`;
// Each completed one has the first; this is the expression of its index.
const COMPLETED_FIRST = fragment`coalesce(completion_order, staging_order)`;
// One more than a page has: it says whether another page follows.
const INNER_LIMIT = rawSql(String(LIMITS.list + 1));
const ALL_STATES: AccountImportState[] = ['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED', 'UNDONE'];

const JSON_RECORD = fragment`'{"external_account_number":' || to_json(external_account_number) ||
        CASE WHEN service_account_number IS NULL
          THEN ',"service_account_number":null,"account_created_at":null}'
          ELSE ',"service_account_number":' || to_json(service_account_number) || ',"account_created_at":' ||
            coalesce(left(to_json(account_created_at)::text, 20) || 'Z"', 'null') || '}'
        END`;
/** Quoted where RFC 4180 wants it; the other two fields never need it. */
const CSV_RECORD = fragment`CASE WHEN external_account_number ~ E'[",\r\n]'
          THEN '"' || replace(external_account_number, '"', '""') || '"'
          ELSE external_account_number
        END || ',' || coalesce(service_account_number, '') || ',' ||
        coalesce(substr(to_json(account_created_at)::text, 2, 19) || 'Z', '')`;

/** Each record is preceded by a comma. */
const JSON_TEXT = fragment`',' || string_agg(${JSON_RECORD}, ',' ORDER BY place)`;
/** Each record is followed by the end of its line. */
const NDJSON_TEXT = fragment`string_agg(${JSON_RECORD}, E'\n' ORDER BY place) || E'\n'`;
const CSV_TEXT = fragment`string_agg(${CSV_RECORD}, E'\n' ORDER BY place) || E'\n'`;

/** The lists, by the names of their procedures. */
export const LISTS = {
  listAccountImports: listOf('list-account-imports', { states: ALL_STATES, order: STAGED_FIRST }),
  listPendingImports: listOf('list-pending-imports', { states: ['STAGED', 'FAILED'], order: STAGED_FIRST }),
  listImportedAccounts: listOf('list-imported-accounts', { states: ['COMPLETED'], order: COMPLETED_FIRST }),
};
export type ListName = keyof typeof LISTS;
export type List = ReturnType<typeof listOf>;
/** How the text of a whole list is written: as a JSON array, as one JSON object a line, or as CSV. */
export type ListForm = keyof List['texts'];

function listOf(name: string, contents: Contents) {
  return {
    page: pageOf(name, contents),
    texts: {
      json: textOf(`${name}-text`, contents, JSON_TEXT),
      ndjson: textOf(`${name}-lines`, contents, NDJSON_TEXT),
      csv: textOf(`${name}-csv`, contents, CSV_TEXT),
    },
    place: placeIn(`${name}-place`, contents),
  };
}

/** One page as rows: `limit` account imports of the supplier after `after_id`, or from the first if it is null. */
function pageOf(name: string, contents: Contents) {
  const columns = {
    place: 'bigint',
    external_account_number: 'text',
    service_account_number: 'text | null',
    account_created_at: 'timestamptz | null',
  } as const;
  return sql(name, columns)`
    WITH after AS MATERIALIZED (
      SELECT 0 AS place
      WHERE ${'after_id'}::uuid IS NULL
      UNION ALL
      SELECT ${contents.order}
      FROM account_imports
      WHERE id = ${'after_id'}
        AND import_supplier_code IS NOT DISTINCT FROM ${'import_supplier_code'}
        AND external_account_number IS NOT DISTINCT FROM ${'after_number'}
    )
    SELECT place, external_account_number, service_account_number, account_created_at
    FROM ${recordsOf(contents)}
    ORDER BY place`;
}

// PostgreSQL escapes what JSON.stringify escapes, in the same way (a test compares all of it), and a text takes a tenth
// of the time of as many rows (docs/decisions/0014).
/**
 * One page as text: `limit` account imports of the supplier after the place. `settled`: how many of them are below the
 * place `unsettled_from`.
 */
function textOf(name: string, contents: Contents, text: Fragment) {
  return sql(name, { records: 'integer', settled: 'integer', place: 'bigint | null', text: 'text | null' })`
    WITH after AS MATERIALIZED (SELECT ${'place'}::bigint AS place)
    SELECT
      count(*)::integer AS records,
      count(*) FILTER (WHERE place < ${'unsettled_from'}::bigint)::integer AS settled,
      max(place) AS place,
      ${text} AS text
    FROM ${recordsOf(contents)}`;
}

// Merges one ordered index range per state: the cost depends on the page, not on the number of imports. The inner limit
// is a constant, so that the cached generic plan suits a page too.
function recordsOf({ states, order }: Contents) {
  const ranges = states.map((state) => rangeOf(state, order));
  const range = ranges.reduce((all, one) => fragment`${all} UNION ALL ${one}`);
  return fragment`(
      SELECT *
      FROM (${range}) AS ranges
      ORDER BY place
      LIMIT ${'limit'}
    ) AS record`;
}

function rangeOf(state: AccountImportState, order: Fragment) {
  return fragment`(
        SELECT ${order} AS place, external_account_number, service_account_number, completed_at AS account_created_at
        FROM account_imports
        WHERE import_supplier_code = ${'import_supplier_code'}
          AND state = '${rawSql(state)}'
          AND ${order} > (SELECT place FROM after)
        ORDER BY ${order}
        LIMIT ${INNER_LIMIT}
      )`;
}

/** An account's place in the list; no row if it was never staged. */
function placeIn(name: string, { order }: Contents) {
  return sql(name, { place: 'bigint' })`
    SELECT ${order} AS place
    FROM account_imports AS import
    WHERE id = ${'id'}
      AND ${IS_NAMED}`;
}

/**
 * The first place of the supplier's lists that may still be taken by a transaction that is open. A statement that
 * begins after this one sees every record that there will ever be below it.
 */
export const FIRST_UNSETTLED_PLACE = sql('first-unsettled-place', { place: 'bigint | null' })`
  SELECT first_unsettled_order(${'import_supplier_code'}) AS place`;
