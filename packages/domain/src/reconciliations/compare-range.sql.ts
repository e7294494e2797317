import { rawSql, sql } from '@causeway/db';
import {
  ACTUAL_BY_TYPE,
  ACTUAL_OF_ALL_TYPES,
  ADDED_OF_EQUAL,
  ADDED_OF_OTHERS,
  BOTH_SIDES,
  COUNTED_BY_TYPE,
  EXPECTED_BY_TYPE,
  FIGURE_ROWS,
  FIGURES_DIFFER,
  LINE_OF_TYPES,
  SUMS,
} from './figures.sql.ts';

/**
 * How far another creation moves what tells that an account has changed: no revision comes that far, so that the sum of both
 * only grows, also if the account that was created again has had fewer imports.
 */
export const EACH_CREATION = rawSql('1000000000::bigint');

/**
 * Compares the accounts of a range with what a manifest claims of them, as they are at one time, and writes the range:
 * its differences, as long as there is `room` for them, its counts and sums, and what tells whether it has changed
 * since. Nobody waits for its commit: what is lost with the machine is compared again, and the verdict, which is
 * committed after it, makes it durable.
 *
 * - `expected`: the manifest's lines; NULL is not claimed. `claimed`: a fingerprint costs time, and most
 *   manifests claim none.
 * - `imports`: one that was undone and created again has more `attempts`. They are found by their ids, and not by `=` of their supplier, whose index a plan may take: see `IS_NAMED`.
 * - `actual`: the accounts that arrived, whether or not they were created. History is read by the ids of the accounts
 *   that were, which are next to each other in the index: accounts of other import suppliers cost nothing. Anyone who runs
 *   it has switched nested loops off, because the planner takes the lists in memory for short ones.
 * - `added`: what equal accounts have is what is claimed, so that they are added up apart, which takes half the time.
 * - `paired`: the accounts of either side, with the kind of their difference; `moved` are transactions, by account.
 */
export const COMPARE_RANGE = sql('compare-range', {
  compared: 'integer',
  differences: 'integer',
  commits: 'text | null',
})`
  WITH expected AS MATERIALIZED (
    SELECT
      account_import_id AS id,
      external_account_number,
      transfer_balance,
      notes,
      transactions,
      transactions_sum,
      ${EXPECTED_BY_TYPE},
      statements,
      statements_gross,
      payment_instruction,
      fingerprint
    FROM (
      SELECT *,
        ${LINE_OF_TYPES}
      FROM manifest_accounts
      WHERE manifest_id = ${'manifest_id'}
        AND account_import_id >= ${'from_id'}
        AND account_import_id < ${'to_id'}
      OFFSET 0
    ) AS line
  ),
  claimed AS MATERIALIZED (
    SELECT count(fingerprint) > 0 AS fingerprint
    FROM expected
  ),
  imports AS MATERIALIZED (
    SELECT id, external_account_number, state, attempts, xmin::text::bigint AS changed_by
    FROM account_imports
    WHERE id >= ${'from_id'}
      AND id < ${'to_id'}
      AND import_supplier_code IS NOT DISTINCT FROM ${'import_supplier_code'}
  ),
  created AS MATERIALIZED (
    SELECT account_import_id AS id, revision, transfer_balance
    FROM accounts
    WHERE account_import_id = ANY (ARRAY(SELECT id FROM imports WHERE state = 'COMPLETED'))
  ),
  moved AS (
    SELECT
      account_import_id AS id,
      ${COUNTED_BY_TYPE},
      sum(
        ('x' || left(encode(sha256(convert_to(
          transaction_id || '|' || coalesce(original_transaction_date, transaction_date) || '|' || type || '|' || amount,
          'UTF8'
        )), 'hex'), 15))::bit(60)::bigint
      ) FILTER (WHERE (SELECT fingerprint FROM claimed)) AS fingerprint
    FROM transactions
    WHERE account_import_id = ANY (ARRAY(SELECT id FROM created))
    GROUP BY account_import_id
  ),
  billed AS (
    SELECT account_import_id AS id, count(*) AS statements, sum(gross_amount) AS statements_gross
    FROM statements
    WHERE account_import_id = ANY (ARRAY(SELECT id FROM created))
    GROUP BY account_import_id
  ),
  noted AS (
    SELECT account_import_id AS id, count(*) AS notes
    FROM notes
    WHERE account_import_id = ANY (ARRAY(SELECT id FROM created))
      AND NOT is_generated
    GROUP BY account_import_id
  ),
  instructed AS (
    SELECT account_import_id AS id
    FROM payment_instructions
    WHERE account_import_id = ANY (ARRAY(SELECT id FROM created))
    GROUP BY account_import_id
  ),
  actual AS (
    SELECT
      imports.id,
      external_account_number,
      state,
      changed_by,
      created.id IS NOT NULL AS is_created,
      attempts * ${EACH_CREATION} + revision AS revision,
      coalesce(transfer_balance, 0.00) AS transfer_balance,
      coalesce(notes, 0) AS notes,
      ${ACTUAL_OF_ALL_TYPES},
      ${ACTUAL_BY_TYPE},
      coalesce(statements, 0) AS statements,
      coalesce(statements_gross, 0.00) AS statements_gross,
      instructed.id IS NOT NULL AS payment_instruction,
      coalesce(fingerprint, 0) AS fingerprint
    FROM imports
    LEFT JOIN created ON created.id = imports.id
    LEFT JOIN moved ON moved.id = created.id
    LEFT JOIN billed ON billed.id = created.id
    LEFT JOIN noted ON noted.id = created.id
    LEFT JOIN instructed ON instructed.id = created.id
  ),
  paired AS MATERIALIZED (
    SELECT
      coalesce(expected.id, actual.id) AS id,
      coalesce(expected.external_account_number, actual.external_account_number) AS external_account_number,
      expected.id IS NOT NULL AS is_expected,
      coalesce(is_created, false) AS is_created,
      state,
      changed_by,
      revision,
      CASE
        WHEN expected.id IS NULL THEN CASE WHEN is_created THEN 'EXTRA' END
        WHEN actual.id IS NULL THEN 'MISSING'
        WHEN state = 'SKIPPED' THEN 'SKIPPED'
        WHEN NOT is_created THEN 'NOT_CREATED'
        WHEN ${FIGURES_DIFFER} THEN 'DIFFERENT'
      END AS kind,
      ${BOTH_SIDES}
    FROM expected
    FULL JOIN actual ON actual.id = expected.id
  ),
  difference AS MATERIALIZED (
    SELECT id, external_account_number, kind, 'account' AS field,
      CASE WHEN is_expected THEN 'COMPLETED' END AS expected,
      state::text AS actual
    FROM paired
    WHERE kind <> 'DIFFERENT'
    UNION ALL
    SELECT id, external_account_number, kind, figure.field, figure.expected, figure.actual
    FROM paired
    CROSS JOIN LATERAL (VALUES
      ${FIGURE_ROWS}
    ) AS figure (field, expected, actual)
    WHERE kind = 'DIFFERENT'
      AND figure.expected::text <> figure.actual
  ),
  stored AS (
    INSERT INTO reconciliation_differences
      (reconciliation_id, account_import_id, field, external_account_number, kind, expected, actual, detail)
    SELECT ${'reconciliation_id'}, id, field, external_account_number, kind::difference_kind, expected, actual, (
      SELECT jsonb_build_object(
        'operation', operation,
        'code', coalesce(errors->0->>'code', code),
        'attr', coalesce(errors->0->>'attr', '')
      )
      FROM account_import_refusals
      WHERE account_import_id = difference.id
        AND resolved_at IS NULL
        AND reported = ''
        AND kind IN ('MISSING', 'NOT_CREATED', 'DIFFERENT')
      ORDER BY last_seen_at DESC
      LIMIT 1
    )
    FROM difference
    ORDER BY id, field
    LIMIT ${'room'}
    RETURNING 1
  ),
  added AS (
    SELECT
      ${ADDED_OF_EQUAL}
    FROM paired
    WHERE kind IS NULL
    UNION ALL
    SELECT
      ${ADDED_OF_OTHERS}
    FROM paired
    WHERE kind IS NOT NULL
  ),
  counted AS (
    SELECT
      count(*)::integer AS compared,
      count(*) FILTER (WHERE is_created)::integer AS created,
      coalesce(sum(CASE WHEN is_created THEN revision WHEN is_expected THEN changed_by END), 0) AS revisions,
      jsonb_build_object(
        'expected', count(*) FILTER (WHERE is_expected),
        'created', count(*) FILTER (WHERE is_created),
        'both', count(*) FILTER (WHERE is_expected AND is_created),
        'missing', count(*) FILTER (WHERE kind = 'MISSING'),
        'extra', count(*) FILTER (WHERE kind = 'EXTRA'),
        'not_created', count(*) FILTER (WHERE kind = 'NOT_CREATED'),
        'skipped', count(*) FILTER (WHERE kind = 'SKIPPED'),
        'different', count(*) FILTER (WHERE kind = 'DIFFERENT')
      ) AS counts,
      (SELECT ${SUMS} FROM added) AS sums
    FROM paired
  ),
  found AS (
    SELECT
      (SELECT count(*)::integer FROM difference) AS differences,
      (SELECT count(*)::integer FROM stored) AS stored
  )
  UPDATE reconciliation_ranges AS range
  SET
    done = true,
    round = ${'round'},
    not_before = NULL,
    started_at = coalesce(started_at, ${'now'}),
    finished_at = ${'now'},
    counts = counted.counts || jsonb_build_object('differences', found.differences, 'stored', found.stored),
    sums = counted.sums,
    created = counted.created,
    revisions = counted.revisions
  FROM counted, found
  WHERE reconciliation_id = ${'reconciliation_id'} AND number = ${'number'}
  RETURNING counted.compared, found.differences, set_config('synchronous_commit', 'off', true) AS commits`;
