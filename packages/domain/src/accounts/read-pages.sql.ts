import { type Fragment, fragment, narrow, rawSql, sql } from '@causeway/db';
import { IS_NAMED } from '../shared/conditions.sql.ts';

/**
 * A page ends with the record that exceeds it, as stored (compressed): however large records are, few are in memory.
 */
const PAGE_BYTES = 256 * 1024;

const COLUMNS = {
  is_created: 'boolean',
  is_erased: 'boolean',
  records: 'text | null',
  more: narrow<boolean | null>('boolean | null'),
} as const;

/**
 * Records of one account: a query of at most `limit` + 1 in their order, each with its `size`. Only a record of the
 * page becomes a value as a whole: what is not on the page is not decompressed.
 */
function pageOf<Name extends string>(records: Fragment<Name>, order: string) {
  return fragment`
    WITH numbered AS (
      SELECT *, row_number() OVER in_order AS place, sum(size) OVER in_order - size AS bytes_before
      FROM (${records}) AS record
      WINDOW in_order AS (ORDER BY ${rawSql(order)})
    ),
    page AS MATERIALIZED (
      SELECT *, place <= ${'limit'} AND bytes_before < ${rawSql(String(PAGE_BYTES))} AS fits
      FROM numbered
    )
    SELECT
      account.account_import_id IS NOT NULL AS is_created,
      import.erased_at IS NOT NULL AS is_erased,
      (SELECT json_agg(to_json(page) ORDER BY place) FROM page WHERE fits)::text AS records,
      (SELECT bool_or(NOT fits) FROM page) AS more
    FROM account_imports AS import
    LEFT JOIN accounts AS account ON account.account_import_id = import.id
    WHERE import.id = ${'id'}
      AND ${IS_NAMED}`;
}

/** After the first `after` notes. */
export const READ_NOTES = sql('read-notes', COLUMNS)`${pageOf(
  fragment`
        SELECT
          *,
          row_number() OVER (ORDER BY id) AS position,
          coalesce(octet_length(body), 0) + coalesce(pg_column_size(document_paths), 0) AS size
        FROM notes
        WHERE account_import_id = ${'id'}
        ORDER BY id
        OFFSET ${'after'}
        LIMIT ${'limit'}::bigint + 1`,
  'id',
)}`;

/** After the copy `after_copy` of the transaction `after`; from the first one if `after` is empty. */
export const READ_TRANSACTIONS = sql('read-transactions', COLUMNS)`${pageOf(
  fragment`
        SELECT *, coalesce(pg_column_size(line_items), 0) + coalesce(pg_column_size(tax_items), 0)
          + coalesce(octet_length(note), 0) + coalesce(octet_length(display_note), 0) AS size
        FROM (
          (
            SELECT *, row_number() OVER (ORDER BY id) AS copy
            FROM transactions
            WHERE account_import_id = ${'id'} AND transaction_id = ${'after'}
            ORDER BY id
            OFFSET ${'after_copy'}
            LIMIT ${'limit'}::bigint + 1
          )
          UNION ALL
          (
            SELECT *, row_number() OVER (PARTITION BY transaction_id ORDER BY id) AS copy
            FROM transactions
            WHERE account_import_id = ${'id'} AND transaction_id > ${'after'}
            ORDER BY transaction_id, id
            LIMIT ${'limit'}::bigint + 1
          )
        ) AS both_ranges
        ORDER BY transaction_id, id
        LIMIT ${'limit'}::bigint + 1`,
  'transaction_id, id',
)}`;

/** After the statement `after`; from the first one if it is empty. */
export const READ_STATEMENTS = sql('read-statements', COLUMNS)`${pageOf(
  fragment`
        SELECT *, coalesce(octet_length(statement_path), 0) AS size
        FROM statements
        WHERE account_import_id = ${'id'} AND statement_id > ${'after'}
        ORDER BY statement_id
        LIMIT ${'limit'}::bigint + 1`,
  'statement_id',
)}`;

/** Of each type the active payment instruction, then those that were superseded, each by the next one: latest first. */
export const READ_PAYMENT_INSTRUCTIONS = sql('read-payment-instructions', COLUMNS)`${pageOf(
  fragment`
        SELECT *, 0 AS size, lag(reference) OVER of_type AS supersedes, lead(reference) OVER of_type AS superseded_by
        FROM (
          SELECT vendor, reference, type, details, NULL::timestamptz AS superseded_at, NULL::bigint AS id
          FROM payment_instructions
          WHERE account_import_id = ${'id'}
          UNION ALL
          SELECT vendor, reference, type, details, superseded_at, id
          FROM superseded_payment_instructions
          WHERE account_import_id = ${'id'}
        ) AS instruction
        WINDOW of_type AS (PARTITION BY type ORDER BY id NULLS LAST)
        ORDER BY type, id DESC NULLS FIRST
        LIMIT ${'limit'}::bigint + 1`,
  'type, id DESC NULLS FIRST',
)}`;
