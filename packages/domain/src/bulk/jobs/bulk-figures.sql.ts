import { fragment, narrow, rawSql, sql } from '@causeway/db';
import type { CountsJson, SumsJson } from '../chunks/line-outcome.ts';

const OF_RUN = fragment`job_id = ${'id'} AND run = ${'run'}`;

/** What a run has done: in its folds, and in the chunks that are in none of them. Few rows, however many chunks it has. */
export const PARTS_OF_RUN = fragment`
    SELECT lines, counts, sums, begun_at
    FROM bulk_folds
    WHERE ${OF_RUN}
    UNION ALL
    SELECT cursor AS lines, counts, sums, started_at AS begun_at
    FROM bulk_chunks
    WHERE ${OF_RUN} AND cursor > 0 AND NOT folded`;

const money = (figure: string) => fragment`sum((${rawSql(figure)})::numeric)::numeric(40, 2)::text`;
const count = (figure: string) => fragment`sum((${rawSql(figure)})::integer)`;

/** The rows of \`part\` added up, in the form of each: money exactly, by the database, and what is absent is zero. */
export const ADDED_UP = fragment`
    coalesce(sum(lines), 0)::integer AS lines,
    (
      SELECT coalesce(jsonb_object_agg(outcome, lines), '{}')
      FROM (
        SELECT key AS outcome, sum(value::integer) AS lines
        FROM part, jsonb_each_text(counts)
        GROUP BY key
      ) AS of_outcome
    ) AS counts,
    jsonb_strip_nulls(jsonb_build_object(
      'transfer_balance_credit', ${money("sums->>'transfer_balance_credit'")},
      'transfer_balance_debit', ${money("sums->>'transfer_balance_debit'")},
      'statements', CASE WHEN bool_or(sums ? 'statements') THEN jsonb_build_object(
        'count', ${count("sums->'statements'->>'count'")},
        'gross', ${money("sums->'statements'->>'gross'")}) END,
      'notes', ${count("sums->>'notes'")},
      'customers', ${count("sums->>'customers'")},
      'supply_points', ${count("sums->>'supply_points'")},
      'omitted_transactions', ${count("sums->>'omitted_transactions'")},
      'transactions', (
        SELECT jsonb_object_agg(type, jsonb_build_object('count', count, 'amount', amount))
        FROM (
          SELECT key AS type, sum((value->>'count')::integer) AS count,
            sum((value->>'amount')::numeric)::numeric(40, 2)::text AS amount
          FROM part, jsonb_each(sums->'transactions')
          GROUP BY key
        ) AS of_type
      ),
      'account_types', (
        SELECT jsonb_object_agg(type, accounts)
        FROM (
          SELECT key AS type, sum(value::integer) AS accounts
          FROM part, jsonb_each_text(sums->'account_types')
          GROUP BY key
        ) AS of_type
      )
    )) AS sums,
    min(begun_at) AS begun_at
  FROM part`;

/** What the chunks of a run add up to: there is no other counter. */
export const ADD_UP_BULK_CHUNKS = sql('add-up-bulk-chunks', {
  lines: 'integer',
  counts: narrow<CountsJson>('jsonb'),
  sums: narrow<SumsJson>('jsonb'),
  begun_at: 'timestamptz | null',
})`
  WITH part AS MATERIALIZED (${PARTS_OF_RUN})
  SELECT${ADDED_UP}`;

/** A fold has its lines by when they were finished, as exactly as this. */
export const SLOT_SECONDS = rawSql('10');

/**
 * How many lines were done in each of the last 30 minutes, from the present one, 0, backwards: those of the present one
 * by its chunks; the earlier ones, as far as they are folded, to ten seconds.
 */
export const COUNT_BULK_MINUTES = sql('count-bulk-minutes', { minutes_ago: 'integer', lines: 'integer' })`
  WITH done AS (
    SELECT finished_at, lines
    FROM bulk_chunks
    WHERE ${OF_RUN}
      AND finished_at > ${'now'}::timestamptz - interval '1 minute'
    UNION ALL
    SELECT finished_at, lines
    FROM bulk_chunks
    WHERE ${OF_RUN} AND cursor > 0 AND NOT folded
      AND finished_at <= ${'now'}::timestamptz - interval '1 minute'
    UNION ALL
    SELECT slot.at, slot.lines
    FROM bulk_folds
    CROSS JOIN LATERAL (
      SELECT to_timestamp(key::bigint * ${SLOT_SECONDS}) AS at, value::integer AS lines
      FROM jsonb_each_text(slots)
    ) AS slot
    WHERE ${OF_RUN}
      AND ended_at > ${'now'}::timestamptz - interval '30 minutes'
      AND slot.at <= ${'now'}::timestamptz - interval '1 minute'
  )
  SELECT floor(extract(epoch FROM ${'now'}::timestamptz - finished_at) / 60)::integer AS minutes_ago,
    sum(lines)::integer AS lines
  FROM done
  WHERE finished_at > greatest(${'since'}::timestamptz, ${'now'}::timestamptz - interval '30 minutes')
    AND finished_at <= ${'now'}::timestamptz
  GROUP BY minutes_ago
  ORDER BY minutes_ago`;
