import { fragment, narrow, sql } from '@causeway/db';

const OF_RUN = fragment`job_id = ${'id'} AND run = ${'run'}`;

/**
 * What the chunks of a run add up to: there is no other counter. Money is added exactly, by the database, and leaves it
 * as text.
 */
export const ADD_UP_BULK_CHUNKS = sql('add-up-bulk-chunks', {
  lines: 'integer',
  done: 'integer',
  created: 'integer',
  updated: 'integer',
  unchanged: 'integer',
  refused: 'integer',
  failed: 'integer',
  not_processed: 'integer',
  transfer_balance_credit: 'text',
  transfer_balance_debit: 'text',
  statement_count: 'integer',
  statement_gross: 'text',
  notes: 'integer',
  customers: 'integer',
  supply_points: 'integer',
  transactions: narrow<Record<string, { count: number; amount: string }>>('jsonb'),
  account_types: narrow<Record<string, number>>('jsonb'),
  begun_at: 'timestamptz | null',
})`
  SELECT
    coalesce(sum(lines), 0)::integer AS lines,
    coalesce(sum(cursor), 0)::integer AS done,
    coalesce(sum((counts->>'created')::integer), 0)::integer AS created,
    coalesce(sum((counts->>'updated')::integer), 0)::integer AS updated,
    coalesce(sum((counts->>'unchanged')::integer), 0)::integer AS unchanged,
    coalesce(sum((counts->>'refused')::integer), 0)::integer AS refused,
    coalesce(sum((counts->>'failed')::integer), 0)::integer AS failed,
    coalesce(sum((counts->>'not_processed')::integer), 0)::integer AS not_processed,
    coalesce(sum((sums->>'transfer_balance_credit')::numeric), 0)::numeric(40, 2)::text AS transfer_balance_credit,
    coalesce(sum((sums->>'transfer_balance_debit')::numeric), 0)::numeric(40, 2)::text AS transfer_balance_debit,
    coalesce(sum((sums->'statements'->>'count')::integer), 0)::integer AS statement_count,
    coalesce(sum((sums->'statements'->>'gross')::numeric), 0)::numeric(40, 2)::text AS statement_gross,
    coalesce(sum((sums->>'notes')::integer), 0)::integer AS notes,
    coalesce(sum((sums->>'customers')::integer), 0)::integer AS customers,
    coalesce(sum((sums->>'supply_points')::integer), 0)::integer AS supply_points,
    (
      SELECT coalesce(jsonb_object_agg(type, jsonb_build_object('count', count, 'amount', amount)), '{}')
      FROM (
        SELECT key AS type, sum((value->>'count')::integer) AS count,
          sum((value->>'amount')::numeric)::numeric(40, 2)::text AS amount
        FROM bulk_chunks, jsonb_each(sums->'transactions')
        WHERE ${OF_RUN}
        GROUP BY key
      ) AS of_type
    ) AS transactions,
    (
      SELECT coalesce(jsonb_object_agg(type, accounts), '{}')
      FROM (
        SELECT key AS type, sum(value::integer) AS accounts
        FROM bulk_chunks, jsonb_each_text(sums->'account_types')
        WHERE ${OF_RUN}
        GROUP BY key
      ) AS of_type
    ) AS account_types,
    min(started_at) AS begun_at
  FROM bulk_chunks
  WHERE ${OF_RUN}`;

/** How many lines were done in each of the last 30 minutes, from the present one, 0, backwards. */
export const COUNT_BULK_MINUTES = sql('count-bulk-minutes', { minutes_ago: 'integer', lines: 'integer' })`
  SELECT floor(extract(epoch FROM ${'now'}::timestamptz - finished_at) / 60)::integer AS minutes_ago,
    sum(lines)::integer AS lines
  FROM bulk_chunks
  WHERE ${OF_RUN}
    AND finished_at > greatest(${'since'}::timestamptz, ${'now'}::timestamptz - interval '30 minutes')
    AND finished_at <= ${'now'}::timestamptz
  GROUP BY minutes_ago
  ORDER BY minutes_ago`;
