import type { AccountFigures, CountAndSum } from '@causeway/contracts';
import { narrow, type RowOf, rawSql, sql } from '@causeway/db';
import { KEPT_OF_IMPORT, type KeptFieldsRow } from '../kept-fields/kept-fields.ts';
import { type OpenRefusalJson, REFUSALS_OF_IMPORT } from '../refusals/open-refusals.ts';
import { IS_NAMED_BY_INPUT } from '../shared/conditions.sql.ts';

/** As it is stored, compressed: of an account's data that is some 100 kB of JSON. */
const LARGE_BYTES = 16_384;

/**
 * What is stored of each account, one row a call; no row if it was never staged. The rows of a created account come as
 * they are (`to_json` of whole rows: a new column is in them), and `stored-document.ts` makes the account's data of
 * them. Everything but the account import is an index range of `account_import_id`. Large data is left out (`is_large`)
 * unless the call takes `any_size`: then it has the statement for itself.
 */
export const READ_ACCOUNTS = sql('read-accounts', {
  id: 'uuid',
  busy: 'boolean',
  state: 'account_import_state',
  service_account_number: 'text | null',
  operations_team_name: 'text | null',
  transfer_balance: 'text | null',
  staged_at: 'timestamptz',
  account_created_at: 'timestamptz | null',
  erased_at: 'timestamptz | null',
  figures: narrow<StoredFigures>('json'),
  is_large: 'boolean',
  stored: 'text | null',
  kept: narrow<KeptFieldsRow[] | null>('json | null'),
  refusals: narrow<OpenRefusalJson[] | null>('json | null'),
})`
  SELECT input.id, false AS busy, found.*
  FROM json_to_recordset(${'calls'}::json)
    AS input (id uuid, import_supplier_code text, external_account_number text, any_size boolean)
  CROSS JOIN LATERAL (
    SELECT
      import.state,
      account.service_account_number,
      (SELECT name FROM operations_teams WHERE id = account.operations_team_id) AS operations_team_name,
      coalesce(account.transfer_balance::text, import.payload->>'transfer_balance') AS transfer_balance,
      import.staged_at,
      account.created_at AS account_created_at,
      import.erased_at,
      json_build_object(
        'transactions', (
          SELECT json_build_object(
            'count', coalesce(sum(count), 0),
            'sum', coalesce(sum(sum), 0.00)::text,
            'by_type', json_object_agg(type, json_build_object('count', count, 'sum', sum::text))
              FILTER (WHERE type IS NOT NULL)
          )
          FROM (
            SELECT type, count(*), sum(amount)
            FROM transactions
            WHERE account_import_id = account.account_import_id
            GROUP BY type
          ) AS of_type
        ),
        'notes', (SELECT count(*) FROM notes WHERE account_import_id = account.account_import_id),
        'statements', (
          SELECT json_strip_nulls(json_build_object(
            'count', count(*),
            'gross_total', coalesce(sum(gross_amount), 0.00)::text,
            'without_gross_amount', nullif(count(*) - count(gross_amount), 0)
          ))
          FROM statements
          WHERE account_import_id = account.account_import_id
        ),
        'payment_instructions', (
          SELECT count(*)
          FROM payment_instructions
          WHERE account_import_id = account.account_import_id
        ),
        'superseded_payment_instructions', (
          SELECT nullif(count(*), 0)
          FROM superseded_payment_instructions
          WHERE account_import_id = account.account_import_id
        )
      ) AS figures,
      size.is_large,
      CASE WHEN size.is_large AND NOT input.any_size THEN NULL
      WHEN account.account_import_id IS NULL THEN import.payload::text
      ELSE json_build_object(
        'account', to_json(account),
        'customers', (
          SELECT json_agg(to_json(customer) ORDER BY position)
          FROM customers AS customer
          WHERE account_import_id = account.account_import_id
        ),
        'supply_addresses', (
          SELECT json_agg(to_json(address) ORDER BY position)
          FROM supply_addresses AS address
          WHERE account_import_id = account.account_import_id
        ),
        'meter_points', (
          SELECT json_agg(to_json(point) ORDER BY supply_address_position, position)
          FROM meter_points AS point
          WHERE account_import_id = account.account_import_id
        ),
        'payment_schedules', (
          SELECT json_agg(to_json(schedule) ORDER BY position)
          FROM payment_schedules AS schedule
          WHERE account_import_id = account.account_import_id
        )
      )::text END AS stored,
      (${KEPT_OF_IMPORT}) AS kept,
      (${REFUSALS_OF_IMPORT}) AS refusals
    FROM account_imports AS import
    LEFT JOIN accounts AS account ON account.account_import_id = import.id
    CROSS JOIN LATERAL (
      SELECT coalesce(account.payload_size, pg_column_size(import.payload), 0) > ${rawSql(String(LARGE_BYTES))} AS is_large
    ) AS size
    WHERE import.id = input.id
      AND ${IS_NAMED_BY_INPUT}
    OFFSET 0
  ) AS found`;

/** The figures as they are stored: a type without transactions is missing. */
export type StoredFigures = Omit<AccountFigures, 'transactions' | 'superseded_payment_instructions'> & {
  superseded_payment_instructions: number | null;
  transactions: CountAndSum & { by_type: Record<string, CountAndSum> | null };
};

export type ReadAccountRow = RowOf<typeof READ_ACCOUNTS>;
