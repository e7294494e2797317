import { fragment, narrow, sql } from '@causeway/db';
import { HISTORY } from '../account-imports/create-account.sql.ts';

/** How many meter points the addresses of a payload have. */
const SUPPLY_POINTS = fragment`(
      SELECT coalesce(sum(jsonb_array_length(address->'meter_points')), 0)::integer
      FROM jsonb_array_elements(payload->'supply_addresses') AS address
      WHERE address ? 'meter_points'
    )`;

/**
 * Whether the rules may have changed since an account was staged: on another day, before this version, or with other
 * settings of its import supplier. An attempt that failed has hidden when it was staged.
 */
const MAY_BE_REFUSED = fragment`(
      ${'is_rehearsal'}::boolean AND (
        state <> 'STAGED'
        OR (updated_at AT TIME ZONE ${'time_zone'})::date < ${'today'}::date
        OR updated_at < ${'started_at'}
        OR updated_at <= (SELECT max(occurred_at) FROM audit_events WHERE subject_id = ${'import_supplier_id'})
      )
    )`;

/**
 * The accounts of a cohort as they are staged now, in the order of their ids: what their history depends on, and what
 * counts for the sums. Found by their ids alone. A rehearsal gets the payloads that today's rules may refuse.
 */
export const STAGED_ACCOUNTS = sql('staged-accounts', {
  id: 'uuid',
  external_account_number: 'text',
  times_staged: 'integer',
  history: 'text | null',
  transfer_balance: 'text | null',
  account_type: 'text | null',
  customers: 'integer | null',
  supply_points: 'integer | null',
  payload: narrow<string | null>('text | null'),
})`
  SELECT
    id,
    external_account_number,
    times_staged,
    (
      SELECT jsonb_object_agg(key, value)::text
      FROM jsonb_each(payload)
      WHERE key IN ('last_billed_to_date', 'last_statement_balance') OR key = ANY (${HISTORY})
    ) AS history,
    payload->>'transfer_balance' AS transfer_balance,
    payload->>'account_type' AS account_type,
    jsonb_array_length(payload->'customers') AS customers,
    ${SUPPLY_POINTS} AS supply_points,
    CASE WHEN ${MAY_BE_REFUSED} THEN payload::text END AS payload
  FROM account_imports
  WHERE id = ANY (${'ids'}::uuid[])
  ORDER BY id`;
