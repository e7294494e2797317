import { rawSql, sql } from '@causeway/db';
import { undoneOf } from '../shared/conditions.sql.ts';
import { EACH_CREATION } from './compare-range.sql.ts';

/** Takes a reconciliation until the end of the transaction; no row if somebody has it, or it has ended. */
export const TAKE_RECONCILIATION = sql('take-reconciliation', {
  import_supplier_code: 'text',
  manifest_id: 'uuid',
  round: 'integer',
  read_again: 'integer',
  created_by: 'uuid',
  organisation_id: 'uuid | null',
})`
  SELECT import_supplier_code, manifest_id, round, read_again, created_by, organisation_id
  FROM reconciliations
  JOIN api_keys AS key ON key.id = created_by
  WHERE reconciliations.id = ${'id'} AND state IN ('PLANNING', 'RUNNING')
  FOR UPDATE OF reconciliations SKIP LOCKED`;

/** The reconciliations that have not ended, and whose they are. */
export const FIND_RECONCILIATION_WORK = sql('find-reconciliation-work', { id: 'uuid', import_supplier_code: 'text' })`
  SELECT id, import_supplier_code
  FROM reconciliations
  WHERE state IN ('PLANNING', 'RUNNING')
  ORDER BY id`;

/**
 * The next range to compare, if one may be compared now; how many there are, how many are not done, and how many
 * differences of others are stored. Also switches nested loops off for the transaction (see
 * COMPARE_RANGE), and planning anew for each range: ranges are alike.
 */
export const NEXT_RANGE = sql('next-range', {
  ranges: 'integer',
  undone: 'integer',
  stored_of_others: 'bigint',
  number: 'integer | null',
  from_id: 'uuid | null',
  to_id: 'uuid | null',
  round: 'integer | null',
  nested_loops: 'text',
  plans: 'text',
})`
  WITH count AS (
    SELECT
      count(*)::integer AS ranges,
      count(*) FILTER (WHERE NOT done)::integer AS undone,
      coalesce(sum((counts->>'stored')::integer), 0)::bigint AS stored
    FROM reconciliation_ranges
    WHERE reconciliation_id = ${'id'}
  )
  SELECT
    ranges,
    undone,
    count.stored - coalesce(next.stored, 0) AS stored_of_others,
    next.number,
    next.from_id,
    coalesce(next.to_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS to_id,
    next.round,
    set_config('enable_nestloop', 'off', true) AS nested_loops,
    set_config('plan_cache_mode', 'force_generic_plan', true) AS plans
  FROM count
  LEFT JOIN LATERAL (
    SELECT number, from_id, to_id, round, (counts->>'stored')::bigint AS stored
    FROM reconciliation_ranges
    WHERE reconciliation_id = ${'id'} AND NOT done AND coalesce(not_before <= ${'now'}, true)
    ORDER BY number
    LIMIT 1
  ) AS next ON true`;

/** A range that is compared again has new differences. */
export const REMOVE_DIFFERENCES = sql('remove-differences')`
  DELETE FROM reconciliation_differences
  WHERE reconciliation_id = ${'id'}
    AND account_import_id >= ${'from_id'}
    AND account_import_id < ${'to_id'}`;

/** Lets other ranges go first, after a failure that rolled the comparison back. */
export const PUT_RANGE_OFF = sql('put-range-off')`
  UPDATE reconciliation_ranges
  SET
    attempts = attempts + 1,
    not_before = ${'now'}::timestamptz + least(power(2, attempts), 60) * interval '1 second'
  WHERE reconciliation_id = ${'id'} AND number = ${'number'} AND NOT done`;

/** What of a range was compared, has been read again since. */
export const BEGIN_ROUND = sql('begin-round')`
  UPDATE reconciliations
  SET
    state = 'RUNNING',
    started_at = coalesce(started_at, ${'now'}),
    round = ${'round'},
    read_again = 0
  WHERE id = ${'id'}`;

/**
 * Reads again what tells whether accounts have changed since they were compared, of some ranges; those that have are to
 * be compared once more. An account that is not created counts if the manifest names it. Before the first of them are read,
 * it is noted how many accounts were undone: each of these is seen.
 */
export const READ_RANGES_AGAIN = sql('read-ranges-again', { last: 'integer' })`
  WITH range AS MATERIALIZED (
    SELECT range.number, range.created, range.revisions, now.created AS created_now, now.revisions AS revisions_now
    FROM reconciliation_ranges AS range
    CROSS JOIN LATERAL (
      SELECT
        count(account.account_import_id) AS created,
        coalesce(sum(CASE
          WHEN account.account_import_id IS NOT NULL THEN import.attempts * ${EACH_CREATION} + account.revision
          WHEN EXISTS (
            SELECT
            FROM manifest_accounts AS line
            WHERE line.manifest_id = ${'manifest_id'} AND line.account_import_id = import.id
          ) THEN import.xmin::text::bigint
        END), 0) AS revisions
      FROM account_imports AS import
      LEFT JOIN accounts AS account ON account.account_import_id = import.id
        AND account.account_import_id >= range.from_id
        AND account.account_import_id < coalesce(range.to_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      WHERE import.id >= range.from_id
        AND import.id < coalesce(range.to_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        AND import.import_supplier_code IS NOT DISTINCT FROM ${'import_supplier_code'}
      OFFSET 0
    ) AS now
    WHERE range.reconciliation_id = ${'id'}
      AND range.number > ${'read_again'}::integer
      AND range.number <= ${'read_again'}::integer + ${'ranges'}::integer
  ),
  changed AS (
    UPDATE reconciliation_ranges AS stored
    SET done = false, finished_at = NULL, attempts = 0
    FROM range
    WHERE stored.reconciliation_id = ${'id'}
      AND stored.number = range.number
      AND (range.created, range.revisions) IS DISTINCT FROM (range.created_now, range.revisions_now)
  )
  UPDATE reconciliations
  SET
    read_again = (SELECT max(number) FROM range),
    undone_before = CASE WHEN ${'read_again'}::integer = 0
      THEN ${undoneOf(rawSql('reconciliations.import_supplier_code'))}
      ELSE undone_before
    END
  WHERE id = ${'id'}
  RETURNING read_again AS last`;
