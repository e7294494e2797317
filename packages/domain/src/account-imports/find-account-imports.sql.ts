import { type FoundAccountImport, LIMITS } from '@causeway/contracts';
import { type Fragment, fragment, narrow, rawSql, sql } from '@causeway/db';
import { startsWith, startsWithAtMost } from '../shared/conditions.sql.ts';

/** What an account is found by, the most telling first: each index range is read up to its limit. */
const SOURCES: readonly FoundAccountImport['matched'][] = [
  'external_account_number',
  'service_account_number',
  ...(['request_id', 'request_id', 'request_id'] as const),
  'email',
  ...(['name', 'name', 'name', 'name', 'name', 'name'] as const),
];

/** What found an account, by the number of its source. */
export const sourceOf = (source: number): FoundAccountImport['matched'] => SOURCES[source] ?? 'name';

// One more than are shown: it says that there are more.
const ENOUGH = rawSql(String(LIMITS.found_accounts + 1));
const LOOKED_AT = rawSql(String(LIMITS.found_names));

const TEXT = fragment`${'text'}::text`;
const LOWER_CASE = fragment`lower(${'text'}::text)`;
// NULL, which finds nothing, where a name has to be whole: one of the two is not.
const ONE_NAME = fragment`lower(${'one_name'}::text)`;
// As the indexes have them.
const EMAIL = fragment`lower(email)`;
const FAMILY_NAME = fragment`lower(family_name)`;
const GIVEN_NAME = fragment`lower(given_name)`;
const BUSINESS_NAME = fragment`left(lower(coalesce(details #>> '{business,name}', billing_name)), 100)`;
const DOMESTIC_BUSINESS_NAME = fragment`left(lower(details #>> '{business,name}'), 100)`;
const COMPANY_NAME = fragment`left(lower(details ->> 'company_name'), 100)`;
const GIVEN_NAME_SOUGHT = fragment`lower(${'given_name'}::text)`;
const FAMILY_NAME_SOUGHT = fragment`lower(${'family_name'}::text)`;
const BUSINESS_NAME_SOUGHT = fragment`left(lower(${'text'}::text), 100)`;

/** The supplier's accounts whose number begins with the text: an index range for each supplier and state. */
const BY_EXTERNAL_NUMBER = fragment`
  SELECT 0 AS source, found.id, NULL AS code, NULL AS number
  FROM supplier
  CROSS JOIN unnest(enum_range(NULL::account_import_state)) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT id
    FROM account_imports
    WHERE import_supplier_code = supplier.code
      AND state = wanted.state
      AND ${startsWith(fragment`external_account_number`, TEXT)}
    ORDER BY external_account_number USING ~<~
    LIMIT ${ENOUGH}
  ) AS found`;

const BY_SERVICE_NUMBER = fragment`
  SELECT 1, found.id, NULL, NULL
  FROM supplier
  CROSS JOIN LATERAL (
    SELECT id
    FROM account_imports
    WHERE import_supplier_code = supplier.code
      AND ${startsWith(fragment`service_account_number`, TEXT)}
    ORDER BY service_account_number USING ~<~
    LIMIT ${ENOUGH}
  ) AS found`;

/** A customer may still have the number of an account that was undone: it tells the account import if it is whole. */
const BY_RETIRED_NUMBER = fragment`
  SELECT 1, account_import_id, NULL, NULL
  FROM retired_service_account_numbers
  WHERE service_account_number = ${TEXT}`;

function upToLimit<Name extends string>(source: number, rows: Fragment<Name>) {
  return fragment`
  SELECT ${rawSql(String(source))}, found.*
  FROM (${rows} LIMIT ${LOOKED_AT} + 1) AS found (id, code, number)`;
}

/** In the order of the index: it is read as far as the limit. */
function customers<Name extends string>(source: number, name: Fragment, condition: Fragment<Name>) {
  return upToLimit(
    source,
    fragment`SELECT account_import_id, NULL, NULL FROM customers WHERE ${condition} ORDER BY ${name} USING ~<~`,
  );
}

const BY_EACH: readonly Fragment<'text' | 'one_name' | 'given_name' | 'family_name' | 'may_follow'>[] = [
  BY_EXTERNAL_NUMBER,
  BY_SERVICE_NUMBER,
  BY_RETIRED_NUMBER,
  upToLimit(2, eventsWhere(fragment`request_id = ${TEXT}`)),
  upToLimit(3, eventsWhere(fragment`caller_request_id = ${TEXT}`)),
  upToLimit(
    4,
    fragment`
    SELECT account_import_id, import_supplier_code, external_account_number
    FROM account_import_refusals
    WHERE request_id = ${TEXT}`,
  ),
  customers(5, EMAIL, startsWithAtMost(EMAIL, LOWER_CASE)),
  customers(6, FAMILY_NAME, startsWith(FAMILY_NAME, ONE_NAME)),
  customers(7, GIVEN_NAME, startsWith(GIVEN_NAME, ONE_NAME)),
  // One range of the two together: any other index has all who share one of the names.
  upToLimit(
    8,
    fragment`
    SELECT account_import_id, NULL, NULL
    FROM customers
    WHERE given_name IS NOT NULL
      AND ROW(${GIVEN_NAME}, ${FAMILY_NAME}) ~>=~ ROW(${GIVEN_NAME_SOUGHT}, ${FAMILY_NAME_SOUGHT})
      AND ROW(${GIVEN_NAME}, ${FAMILY_NAME}) ~<=~ ROW(${GIVEN_NAME_SOUGHT}, ${FAMILY_NAME_SOUGHT} || ${'may_follow'}::text)
    ORDER BY ${GIVEN_NAME} USING ~<~, ${FAMILY_NAME} USING ~<~`,
  ),
  upToLimit(
    9,
    fragment`
    SELECT account_import_id, NULL, NULL
    FROM accounts
    WHERE account_type <> 'DOMESTIC' AND ${startsWithAtMost(BUSINESS_NAME, BUSINESS_NAME_SOUGHT)}
    ORDER BY ${BUSINESS_NAME} USING ~<~`,
  ),
  // Of a business whose account is DOMESTIC, the default.
  upToLimit(
    10,
    fragment`
    SELECT account_import_id, NULL, NULL
    FROM accounts
    WHERE account_type = 'DOMESTIC' AND ${startsWithAtMost(DOMESTIC_BUSINESS_NAME, BUSINESS_NAME_SOUGHT)}
    ORDER BY ${DOMESTIC_BUSINESS_NAME} USING ~<~`,
  ),
  customers(11, COMPANY_NAME, startsWithAtMost(COMPANY_NAME, BUSINESS_NAME_SOUGHT)),
];
const BY_ALL = BY_EACH.reduce((all, one) => fragment`${all} UNION ALL (${one})`);

function eventsWhere<Name extends string>(condition: Fragment<Name>) {
  return fragment`SELECT subject_id, NULL, NULL FROM audit_events WHERE ${condition} AND subject = 'account_import'`;
}

/** An account import, or an account that was refused and never staged: it has no state. */
export interface FoundJson {
  source: number;
  code: string;
  external_account_number: string;
  service_account_number: string | null;
  state: FoundAccountImport['state'];
}

/**
 * One row. `is_cut`: of one source not all were looked at. OFFSET 0 prevents a join that reads all account imports, in a
 * plan that was made while there were few.
 */
export const FIND_ACCOUNT_IMPORTS = sql('find-account-imports', {
  matches: narrow<FoundJson[] | null>('json | null'),
  is_cut: 'boolean | null',
})`
  WITH supplier AS MATERIALIZED (
    SELECT code
    FROM import_suppliers
    WHERE ${'code'}::text IS NULL OR code = ${'code'}
  ),
  candidate AS MATERIALIZED (${BY_ALL}),
  found AS (
    SELECT
      candidate.source,
      coalesce(import.import_supplier_code, candidate.code) AS code,
      coalesce(import.external_account_number, candidate.number) AS external_account_number,
      import.service_account_number,
      import.state
    FROM (
      SELECT id, min(source) AS source, max(code) AS code, max(number) AS number
      FROM candidate
      GROUP BY id
    ) AS candidate
    LEFT JOIN LATERAL (
      SELECT id, import_supplier_code, external_account_number, service_account_number, state
      FROM account_imports
      WHERE id = candidate.id
      OFFSET 0
    ) AS import ON true
    WHERE coalesce(import.import_supplier_code, candidate.code) IN (SELECT code FROM supplier)
    ORDER BY source, external_account_number COLLATE "C", code
    LIMIT ${ENOUGH}
  )
  SELECT
    (SELECT json_agg(found) FROM found) AS matches,
    (
      SELECT max(candidates) > ${LOOKED_AT}
      FROM (SELECT count(*) AS candidates FROM candidate GROUP BY source) AS of_source
    ) AS is_cut`;

/** Which of these account imports are created and have an open refusal (behaviour 14.6.9). */
export const FIND_INCOMPLETE = sql('find-incomplete', { id: 'uuid' })`
  SELECT account_import_id AS id
  FROM incomplete_accounts
  WHERE account_import_id = ANY (${'ids'}::uuid[])`;
