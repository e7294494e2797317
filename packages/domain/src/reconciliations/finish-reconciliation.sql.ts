import { sql } from '@causeway/db';
import { AUDITED } from '../shared/audit-values.ts';
import { EVENT_COLUMNS } from '../shared/events.sql.ts';

/** The stored differences behind the place `(after_id, after_field)`, in the order of lists. */
export const READ_DIFFERENCES = sql('read-differences', {
  id: 'uuid',
  field: 'text',
  external_account_number: 'text',
  kind: 'text',
  expected: 'text | null',
  actual: 'text | null',
})`
  SELECT account_import_id AS id, field, external_account_number, kind::text, expected, actual
  FROM reconciliation_differences
  WHERE reconciliation_id = ${'id'}
    AND (account_import_id, field) > (${'after_id'}::uuid, ${'after_field'})
  ORDER BY account_import_id, field
  LIMIT ${'limit'}`;

/** Gives the verdict, with what the ranges add up to. A figure that is claimed of no account is in no total. */
export const FINISH_RECONCILIATION = sql('finish-reconciliation', { verdict: 'text' })`
  WITH range AS MATERIALIZED (
    SELECT *
    FROM reconciliation_ranges
    WHERE reconciliation_id = ${'id'}
  ),
  figure AS (
    SELECT
      name,
      sum((value->>'expected')::numeric) AS expected,
      coalesce(sum((value->>'actual')::numeric), 0) AS actual,
      sum((value->>'claimed')::bigint) AS claimed
    FROM range, jsonb_each(sums) AS sum (name, value)
    GROUP BY name
  ),
  counted AS (
    SELECT
      count(*) FILTER (WHERE NOT done)::integer AS moved_ranges,
      sum((counts->>'expected')::integer) AS expected,
      sum((counts->>'created')::integer) AS created,
      sum((counts->>'both')::integer) AS on_both,
      sum((counts->>'missing')::integer)::integer AS missing,
      sum((counts->>'extra')::integer)::integer AS extra,
      sum((counts->>'not_created')::integer)::integer AS not_created,
      sum((counts->>'skipped')::integer)::integer AS skipped,
      sum((counts->>'different')::integer)::integer AS different,
      sum((counts->>'differences')::integer)::bigint AS differences
    FROM range
  ),
  added AS (
    SELECT
      coalesce(jsonb_object_agg(name, figure.expected::text) FILTER (WHERE figure.expected IS NOT NULL), '{}') AS expected,
      coalesce(jsonb_object_agg(name, actual::text) FILTER (WHERE figure.expected IS NOT NULL), '{}') AS actual,
      jsonb_object_agg(name, jsonb_build_object('claimed', claimed, 'unclaimed', counted.expected - claimed)) AS figures
    FROM figure, counted
  ),
  finished AS (
    UPDATE reconciliations
    SET
      state = 'FINISHED',
      verdict = CASE
        WHEN counted.moved_ranges > 0 THEN 'MOVED'
        WHEN counted.differences > 0 THEN 'DIFFERENT'
        ELSE 'EQUAL'
      END::reconciliation_verdict,
      expected = added.expected || jsonb_build_object('accounts', counted.expected::text),
      actual = added.actual || jsonb_build_object('accounts', counted.created::text),
      covered = jsonb_build_object(
        'accounts', jsonb_build_object('expected', counted.expected, 'created', counted.created, 'both', counted.on_both),
        'figures', added.figures
      ),
      missing = counted.missing,
      extra = counted.extra,
      not_created = counted.not_created,
      skipped = counted.skipped,
      different = counted.different,
      differences = counted.differences,
      differences_digest = ${'differences_digest'},
      moved_ranges = counted.moved_ranges,
      finished_at = ${'at'}
    FROM counted, added
    WHERE id = ${'id'} AND state = 'RUNNING'
    RETURNING id, import_supplier_code, verdict, counted.differences
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'reconciliation', 'finished',
      jsonb_build_object('verdict', verdict, 'differences', differences)
    FROM finished
  ),
  event AS (
    INSERT INTO events (${EVENT_COLUMNS})
    SELECT import_supplier_code, 'reconciliation.finished',
      jsonb_build_object('reconciliation_id', id, 'verdict', verdict), ${'at'}
    FROM finished
  )
  SELECT verdict::text
  FROM finished`;
