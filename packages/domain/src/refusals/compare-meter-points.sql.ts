import { LIMITS } from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { ACCOUNT_EVENT_COLUMNS } from '../shared/events.sql.ts';

/** How many accounts of a meter point one account is compared with, in each of the four ranges of `SHARE`. */
const COMPARED_AT_MOST = rawSql('100');
const MAX_ERRORS = rawSql(String(LIMITS.reported_errors));

/** One instance at a time compares, until the end of its transaction: statements after this one see all it must know. */
export const LOCK_COMPARISON = sql('lock-meter-point-comparison', { held: 'boolean' })`
  SELECT pg_try_advisory_xact_lock(4210007) AS held`;

/** The import suppliers with accounts that were never compared, by lot: none waits for the end of another's book. */
export const FIND_NEVER_COMPARED = sql('find-suppliers-never-compared', { code: 'text' })`
  SELECT supplier.code
  FROM import_suppliers AS supplier
  LEFT JOIN meter_point_cursors AS done ON done.import_supplier_code = supplier.code
  CROSS JOIN LATERAL (
    SELECT
    FROM unnest(enum_range(NULL::account_import_state)) AS wanted (state)
    CROSS JOIN LATERAL (
      SELECT
      FROM account_imports AS import
      WHERE import.import_supplier_code = supplier.code
        AND import.state = wanted.state
        AND import.staging_order > coalesce(done.staging_order, 0)
      LIMIT 1
    ) AS later
    LIMIT 1
  ) AS behind
  ORDER BY random()`;

/** How far an import supplier's accounts were compared, and the first that may still be committed, before they are read. */
export const READ_PLACE = sql('read-place-of-comparison', { after: 'bigint', before: 'bigint' })`
  SELECT
    coalesce((
      SELECT staging_order
      FROM meter_point_cursors
      WHERE import_supplier_code = ${'code'}
    ), 0) AS after,
    first_unsettled_order(${'code'}) AS before`;

/** Those between, the oldest first: a range of the index for each state. */
export const READ_NEVER_COMPARED = sql('read-never-compared', { id: 'uuid', staging_order: 'bigint' })`
  SELECT found.id, found.staging_order
  FROM unnest(enum_range(NULL::account_import_state)) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT id, staging_order
    FROM account_imports AS import
    WHERE import.import_supplier_code = ${'code'}
      AND import.state = wanted.state
      AND import.staging_order > ${'after'}
      AND import.staging_order < ${'before'}
    ORDER BY import.staging_order
    LIMIT ${'limit'}
  ) AS found
  ORDER BY found.staging_order
  LIMIT ${'limit'}`;

/** Unless it was set back since it was read. */
export const MOVE_PLACE = sql('move-place-of-comparison')`
  INSERT INTO meter_point_cursors AS known (import_supplier_code, staging_order)
  VALUES (${'code'}, ${'staging_order'})
  ON CONFLICT (import_supplier_code) DO UPDATE SET staging_order = excluded.staging_order
  WHERE known.staging_order = ${'after'}`;

export const TAKE_CHANGED = sql('take-changed-meter-points', { account_import_id: 'uuid' })`
  DELETE FROM meter_point_changes
  WHERE id = ANY (ARRAY(
    SELECT id
    FROM meter_point_changes
    ORDER BY id
    LIMIT ${'limit'}
  ))
  RETURNING account_import_id`;

/** One that ends on the day on which the other begins is a change of occupier. */
const overlap = (one: string, other: string) =>
  rawSql(`${one}.from_date < ${other}.to_date AND ${other}.from_date < ${one}.to_date`);

const IDENTIFIER = fragment`coalesce(point.value->>'identifier', point.value->>'mpxn')`;

/**
 * The meter points of the accounts as they are now, with the days on which the customer and the supplier have them. A code
 * of an import supplier may have spaces and no slash: identifiers of two suppliers have never the same digest.
 */
const PRESENT = fragment`stored AS MATERIALIZED (
    SELECT id, import_supplier_code, state = 'COMPLETED' AS is_created,
      CASE WHEN state IN ('STAGED', 'FAILED') THEN payload->'supply_addresses' END AS addresses
    FROM account_imports
    WHERE id = ANY (${'ids'}::uuid[]) AND erased_at IS NULL AND state <> 'SKIPPED'
  ),
  present AS MATERIALIZED (
    SELECT account_import_id, supply_address_position, position, is_mpxn,
      md5(import_supplier_code || '/' || upper(replace(identifier, ' ', '')))::uuid AS meter_point,
      from_date, coalesce(to_date, 'infinity') AS to_date
    FROM (
      SELECT stored.id AS account_import_id, import_supplier_code, supply_address_position, point.position, identifier,
        point.details ? 'mpxn' AND NOT point.details ? 'identifier' AS is_mpxn,
        greatest(customer_at_supply_address_from_date, supply_start_date) AS from_date,
        least(customer_at_supply_address_to_date, (point.details->>'supply_end_date')::date) AS to_date
      FROM stored
      JOIN meter_points AS point ON point.account_import_id = stored.id
      JOIN supply_addresses AS address ON address.account_import_id = stored.id
        AND address.position = supply_address_position
      WHERE is_created AND identifier IS NOT NULL
      UNION ALL
      SELECT stored.id, import_supplier_code, address.position - 1, point.position - 1, ${IDENTIFIER},
        NOT point.value ? 'identifier',
        greatest((address.value->>'customer_at_supply_address_from_date')::date,
          (point.value->>'supply_start_date')::date),
        least((address.value->>'customer_at_supply_address_to_date')::date, (point.value->>'supply_end_date')::date)
      FROM stored,
        jsonb_array_elements(addresses) WITH ORDINALITY AS address (value, position),
        jsonb_array_elements(address.value->'meter_points') WITH ORDINALITY AS point (value, position)
      WHERE ${IDENTIFIER} IS NOT NULL
    ) AS point
    WHERE from_date <= coalesce(to_date, 'infinity')
  )`;

/**
 * Writes the meter points of these accounts as they are now. Those of other accounts that share none yet, and are there at
 * the same time as one that is new, are to be compared next.
 */
export const WRITE_OCCUPANCIES = sql('write-meter-point-occupancies')`
  WITH ${PRESENT},
  gone AS (
    DELETE FROM meter_point_occupancies AS known
    WHERE account_import_id = ANY (${'ids'}::uuid[])
      AND NOT EXISTS (
        SELECT
        FROM present
        WHERE present.account_import_id = known.account_import_id
          AND present.supply_address_position = known.supply_address_position
          AND present.position = known.position
      )
  ),
  changed AS (
    INSERT INTO meter_point_occupancies AS known
      (account_import_id, supply_address_position, position, is_mpxn, meter_point, from_date, to_date)
    SELECT *
    FROM present
    ORDER BY account_import_id, supply_address_position, position
    ON CONFLICT (account_import_id, supply_address_position, position) DO UPDATE SET
      is_mpxn = excluded.is_mpxn,
      meter_point = excluded.meter_point,
      from_date = excluded.from_date,
      to_date = excluded.to_date,
      shared_with = NULL
    WHERE (known.is_mpxn, known.meter_point, known.from_date, known.to_date)
      <> (excluded.is_mpxn, excluded.meter_point, excluded.from_date, excluded.to_date)
    RETURNING meter_point, from_date, to_date
  )
  INSERT INTO meter_point_changes (account_import_id)
  SELECT DISTINCT near.account_import_id
  FROM changed
  CROSS JOIN LATERAL (
    SELECT account_import_id, from_date, to_date
    FROM meter_point_occupancies AS other
    WHERE other.meter_point = changed.meter_point AND shared_with IS NULL
    ORDER BY account_import_id
    LIMIT ${COMPARED_AT_MOST}
  ) AS near
  WHERE ${overlap('near', 'changed')}
    AND near.account_import_id <> ALL (${'ids'}::uuid[])`;

/** What others shared with these accounts and share no more; those others are to be compared next. */
export const END_SHARING = sql('end-sharing-of-meter-points')`
  WITH ended AS (
    UPDATE meter_point_occupancies AS one
    SET shared_with = NULL
    WHERE shared_with = ANY (${'ids'}::uuid[])
      AND NOT EXISTS (
        SELECT
        FROM meter_point_occupancies AS other
        WHERE other.account_import_id = one.shared_with
          AND other.meter_point = one.meter_point
          AND ${overlap('one', 'other')}
      )
    RETURNING account_import_id
  )
  INSERT INTO meter_point_changes (account_import_id)
  SELECT DISTINCT account_import_id
  FROM ended
  WHERE account_import_id <> ALL (${'ids'}::uuid[])`;

/** By the primary key: an index of those that share something, or nothing, would be read from end to end. */
function occupanciesOf<Name extends string>(ids: Fragment<Name>): Fragment<Name> {
  return fragment`(
      SELECT *
      FROM meter_point_occupancies
      WHERE account_import_id ${ids}
      OFFSET 0
    )`;
}

const inRange = (sharing: 'IS NULL' | 'IS NOT NULL', side: '<' | '>') => fragment`(
        SELECT account_import_id, from_date, to_date
        FROM meter_point_occupancies
        WHERE meter_point = one.meter_point
          AND shared_with ${rawSql(sharing)}
          AND account_import_id ${rawSql(side)} one.account_import_id
        ORDER BY account_import_id
        LIMIT ${COMPARED_AT_MOST}
      )`;

/**
 * Finds for each meter point of these accounts another account that has it at the same time: the next one in the order of
 * their ids, so that of thousands each is the other of few.
 */
export const SHARE = sql('share-meter-points')`
  UPDATE meter_point_occupancies AS known
  SET shared_with = found.other
  FROM (
    SELECT one.account_import_id, one.supply_address_position, one.position, near.account_import_id AS other
    FROM ${occupanciesOf(fragment`= ANY (${'ids'}::uuid[])`)} AS one
    CROSS JOIN LATERAL (
      SELECT candidate.account_import_id
      FROM (
        ${inRange('IS NULL', '>')}
        UNION ALL
        ${inRange('IS NULL', '<')}
        UNION ALL
        ${inRange('IS NOT NULL', '>')}
        UNION ALL
        ${inRange('IS NOT NULL', '<')}
      ) AS candidate
      WHERE ${overlap('candidate', 'one')}
      LIMIT 1
    ) AS near
    WHERE one.shared_with IS NULL
  ) AS found
  WHERE (known.account_import_id, known.supply_address_position, known.position)
    = (found.account_import_id, found.supply_address_position, found.position)`;

const CODE = rawSql("'meter_point_in_two_accounts'");

/** Whether an import supplier is told of shared meter points. */
export const isToldOfSharing = (supplier: string) =>
  fragment`coalesce(${rawSql(supplier)}.suspect_data_by_code->>${CODE}, ${rawSql(supplier)}.suspect_data::text) <> 'OFF'`;

/** The remarks of the accounts that are compared. */
const REMARKS_OF_IDS = fragment`account_import_id = ANY (${'ids'}::uuid[])
      AND operation = 'stage'
      AND reported = ${CODE}`;

/**
 * Writes or ends the remark of each of these accounts, in the order of their keys; one that becomes open is an event. It waits for no call: an account whose
 * remark is being written is answered, and compared again in the next run.
 * - `held`: `errors` is NULL for an account that shares nothing. Of those whose supplier is not told there is no row.
 * - `request_id`: of the last staging.
 */
export const REMARK_SHARED = sql('remark-shared-meter-points', { account_import_id: 'uuid' })`
  WITH held AS MATERIALIZED (
    SELECT import.id, import.import_supplier_code, import.external_account_number, import.state,
      import.service_account_number, shared.*
    FROM account_imports AS import
    JOIN import_suppliers AS supplier ON supplier.code = import.import_supplier_code
    CROSS JOIN LATERAL (
      SELECT
        jsonb_agg(jsonb_build_object('code', ${CODE}, 'attr', path || '.' || field) ORDER BY place) AS errors,
        array_agg(DISTINCT ${CODE} || ' supply_addresses.*.meter_points.*.' || field) AS problems,
        array_to_string((array_agg(DISTINCT other_number))[1:3], ', ') AS others
      FROM (
        SELECT
          ARRAY[supply_address_position, position] AS place,
          concat('supply_addresses.', supply_address_position, '.meter_points.', position) AS path,
          CASE WHEN is_mpxn THEN 'mpxn' ELSE 'identifier' END AS field,
          other.external_account_number AS other_number
        FROM ${occupanciesOf(fragment`= import.id`)} AS one
        JOIN account_imports AS other ON other.id = one.shared_with
        WHERE one.shared_with IS NOT NULL
        ORDER BY supply_address_position, position
        LIMIT ${MAX_ERRORS}
      ) AS point
    ) AS shared
    WHERE import.id = ANY (${'ids'}::uuid[])
      AND ${isToldOfSharing('supplier')}
  ),
  known AS MATERIALIZED (
    SELECT account_import_id, resolved_at IS NULL AS is_open
    FROM account_import_refusals
    WHERE ${REMARKS_OF_IDS}
  ),
  free AS MATERIALIZED (
    SELECT account_import_id
    FROM account_import_refusals
    WHERE ${REMARKS_OF_IDS}
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  ended AS (
    UPDATE account_import_refusals
    SET resolved_at = ${'now'}
    WHERE ${REMARKS_OF_IDS}
      AND resolved_at IS NULL
      AND account_import_id IN (SELECT account_import_id FROM free)
      AND account_import_id NOT IN (SELECT id FROM held WHERE errors IS NOT NULL)
  ),
  remarked AS (
    INSERT INTO account_import_refusals AS remark (account_import_id, operation, reported, import_supplier_code,
      external_account_number, code, errors, problems, detail, records, is_staged, is_created, request_id, first_seen_at,
      last_seen_at)
    SELECT id, 'stage', ${CODE}, import_supplier_code, external_account_number, ${CODE}, errors, problems,
      jsonb_build_object('other_accounts', others), jsonb_build_object('', to_jsonb(problems)), true,
      state = 'COMPLETED', coalesce((
        SELECT request_id
        FROM audit_events
        WHERE subject_id = held.id AND action IN ('staged', 'staged_again')
        ORDER BY audit_events.id DESC
        LIMIT 1
      ), ''), ${'now'}, ${'now'}
    FROM held
    WHERE errors IS NOT NULL
      AND (id IN (SELECT account_import_id FROM free) OR id NOT IN (SELECT account_import_id FROM known))
    ORDER BY id
    ON CONFLICT (account_import_id, operation, reported) DO UPDATE SET
      errors = excluded.errors,
      problems = excluded.problems,
      detail = excluded.detail,
      records = excluded.records,
      is_created = remark.is_created OR excluded.is_created,
      times = remark.times + 1,
      request_id = excluded.request_id,
      first_seen_at = least(remark.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(remark.last_seen_at, excluded.last_seen_at),
      resolved_at = NULL
    WHERE remark.resolved_at IS NOT NULL
      OR (remark.errors, remark.detail) <> (excluded.errors, excluded.detail)
    RETURNING account_import_id
  ),
  event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT held.import_supplier_code, 'account.remarked', held.external_account_number, held.service_account_number,
      jsonb_build_object('operation', 'stage', 'code', ${CODE}, 'errors', held.errors), ${'now'}
    FROM remarked
    JOIN held ON held.id = remarked.account_import_id
    WHERE held.id NOT IN (SELECT account_import_id FROM known WHERE is_open)
  )
  INSERT INTO meter_point_changes (account_import_id)
  SELECT account_import_id
  FROM known
  WHERE account_import_id NOT IN (SELECT account_import_id FROM free)
  RETURNING account_import_id`;
