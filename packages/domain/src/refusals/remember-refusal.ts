import type { Brought } from '@causeway/book';
import { faultOfIdentifier, LIMITS, type RefusedOperation } from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { AUDIT_RECORD, AUDITED_CALL, auditValues } from '../shared/audit-values.ts';
import { IS_NAMED_BY_INPUT } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import type { AccountKey } from '../shared/derived-id.ts';
import { ACCOUNT_EVENT_COLUMNS } from '../shared/events.sql.ts';
import { kindsOf, type RefusedField, refusedFields } from '../shared/refused-fields.ts';

/** A call that was refused: the code of its answer, and of each field at fault its code and path. */
export interface Refusal {
  operation: RefusedOperation;
  code: string;
  errors: readonly RefusedField[];
  /** Of payment instructions, in the order in which they were sent; undefined for one that is no type. */
  types?: readonly (string | undefined)[] | undefined;
  /** Of a line, what it was to bring. */
  brings?: Brought;
  /** Of a line that was only to be staged: it brings nothing to an account that exists. */
  isStaging?: boolean;
}

/** A refusal, and whose it is. */
export interface RefusedImport extends Refusal {
  /** Of the call that was refused. */
  context: Context;
  key: AccountKey;
}

/**
 * Remembers a refusal of an account import (behaviour 4.15), outside the transaction that was refused or, if the refusal
 * is kept for repeats, in the one that keeps it. It stays open until the operation succeeds: the order in which the
 * refusal and the success are committed decides. A refusal is answered after it is remembered, so that a call that begins
 * after the answer comes later.
 */
export async function rememberRefusal(context: Context, key: AccountKey, refusal: Refusal): Promise<void> {
  await rememberRefusals(context, [{ context, key, ...refusal }]);
}

/** The same of several; of an account and operation, one of them is kept. */
export async function rememberRefusals(
  { database }: Pick<Context, 'database'>,
  refused: readonly RefusedImport[],
): Promise<void> {
  // A number that no account can be staged with is none that could be corrected.
  const nameable = refused.filter(({ key }) => faultOfIdentifier(key.external_account_number) === undefined);
  const calls = nameable.map(({ context, key, operation, code, errors, types = [], brings, isStaging }) => {
    const fields = refusedFields(errors);
    return {
      ...auditValues(context, key.id),
      ...key,
      operation,
      code,
      errors: fields,
      problems: kindsOf(code, fields),
      ...(brings === undefined
        ? typesOf(types, errors)
        : { detail: detailOfLine(brings, errors), is_staging: isStaging === true }),
    };
  });
  if (calls.length > 0) await database.query(REMEMBER_REFUSALS, { calls: JSON.stringify(calls) });
}

const TYPE_AT_FAULT = /^(?:payment_instructions\.(\d+)\.|payment_instruction\.)?type$/;

/**
 * A type that is itself at fault is not what the account lacks: it is sent as another one, or not at all. An undocumented
 * `type` is a field of the line, not of an instruction.
 */
function typesOf(types: readonly (string | undefined)[], errors: readonly RefusedField[]) {
  const documented = errors.filter(({ code }) => code !== 'undocumented_field');
  const atFault = new Set(
    documented.flatMap(({ attr }) => TYPE_AT_FAULT.exec(attr)?.slice(1) ?? []).map((at) => Number(at ?? 0)),
  );
  const lacking = types.filter((type, index) => type !== undefined && !atFault.has(index));
  const mistaken = types.filter((type, index) => type !== undefined && atFault.has(index));
  return {
    ...(lacking.length > 0 && { detail: Object.fromEntries(lacking.map((type) => [type, 'refused'])) }),
    ...(mistaken.length > 0 && { mistaken_types: mistaken }),
  };
}

/**
 * What a line brings, as the `detail` of its refusal has it: how many records of each kind, each type of payment
 * instruction, and the account. An instruction without a valid type is `payment_instruction`.
 */
export function detailOfLine({ account, types, ...records }: Brought, errors: readonly RefusedField[] = []) {
  const { detail: valid = {} } = typesOf(types, errors);
  return {
    ...(account && { account: 'refused' }),
    ...Object.fromEntries(Object.entries(records).filter(([, many]) => many > 0)),
    ...valid,
    ...(types.some((type) => type === undefined || !(type in valid)) && { payment_instruction: 'refused' }),
  };
}

const MOST_TYPES = rawSql(String(LIMITS.payment_instructions));
/** What else than types of payment instructions a line may bring. */
const NO_TYPE = fragment`'{account,notes,transactions,statements,payment_instruction}'::text[]`;
/** What one more refused line was to bring, where its types would be too many. */
const WITHOUT_TYPES = fragment`jsonb_strip_nulls(jsonb_build_object(
          'account', excluded.detail->'account', 'notes', excluded.detail->'notes',
          'transactions', excluded.detail->'transactions', 'statements', excluded.detail->'statements',
          'payment_instruction', 'refused'
        ))`;
/** What `standing` has of the refusal that is in the way of a row. */
function ofStanding(column: string): Fragment {
  return fragment`(
          SELECT ${rawSql(column)}
          FROM standing
          WHERE standing.id = excluded.account_import_id AND standing.operation = excluded.operation
        )`;
}
/** Types that this refusal of the row says are none of the account. */
const MISTAKEN = ofStanding("coalesce(mistaken_types, '{}')");
const IS_SKIPPED = ofStanding('is_skipped');
const IS_REPEATED = fragment`known.resolved_at IS NULL OR excluded.resolved_at IS NOT NULL`;

/**
 * The latest refusals of account imports, each of one operation: of several of an account and operation, one.
 * - `found`: each refusal with its account import, if it has one; `standing`: one of each account and operation.
 * - A refusal is settled, not open, if the operation can bring nothing more to the account: one that precedes the
 *   creation, and a line that was only to be staged, of an account that exists; any, of an account that is skipped or
 *   erased. A settled one does not replace an open one, nor one that unskipping opens again.
 * - Of payment instructions, `detail` has the types that were refused since; each has to be stored. Of a line it has what
 *   the refused lines were to bring; of an account that exists, not the account.
 * - `times` counts from the first refusal since the operation last succeeded.
 * - A refusal that becomes open is an event, its repetitions are not: in the audit trail of an account that exists, and
 *   for others, except for dry runs.
 */
const REMEMBER_REFUSALS = sql('remember-refusals')`
  WITH input AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS input (${AUDIT_RECORD},
      import_supplier_code text, external_account_number text, operation text, code text, errors jsonb, problems text[],
      detail jsonb, mistaken_types text[], is_staging boolean)
  ),
  found AS MATERIALIZED (
    SELECT
      input.*,
      import.state IS NOT NULL AS is_staged,
      import.state IS NOT DISTINCT FROM 'COMPLETED' AS is_created,
      import.state IS NOT DISTINCT FROM 'SKIPPED' AS is_skipped,
      import.erased_at IS NOT NULL AS is_erased,
      CASE
        WHEN operation <> 'line' OR import.state IS DISTINCT FROM 'COMPLETED' THEN detail
        WHEN is_staging THEN '{}'
        ELSE detail - 'account'
      END AS open_detail
    FROM input
    LEFT JOIN LATERAL (
      SELECT state, erased_at
      FROM account_imports AS import
      WHERE import.id = input.id
        AND ${IS_NAMED_BY_INPUT}
      OFFSET 0
    ) AS import ON true
  ),
  standing AS MATERIALIZED (
    SELECT DISTINCT ON (id, operation) *,
      is_erased OR is_skipped OR (is_created AND (
        operation IN ('validate', 'stage', 'process', 'dry_run') OR (operation = 'line' AND open_detail = '{}')
      )) AS is_settled
    FROM found
    ORDER BY id, operation
  ),
  remembered AS (
    INSERT INTO account_import_refusals AS known
      (account_import_id, operation, import_supplier_code, external_account_number, code, errors, problems, detail, lacking,
       is_staged, is_created, request_id, first_seen_at, last_seen_at, resolved_at)
    SELECT id, operation, import_supplier_code, external_account_number, code, errors, problems,
      CASE WHEN operation IN ('payment_instruction', 'line') AND NOT is_settled THEN open_detail END,
      CASE operation WHEN 'line' THEN '{}'::jsonb END,
      is_staged, is_created, request_id, at, at, CASE WHEN is_settled THEN at END
    FROM standing
    ORDER BY id, operation
    ON CONFLICT (account_import_id, operation, reported) DO UPDATE SET
      code = excluded.code,
      errors = excluded.errors,
      problems = excluded.problems,
      detail = CASE
        WHEN known.resolved_at IS NOT NULL THEN excluded.detail
        WHEN known.operation = 'line' THEN joined_kinds(kinds_of_line(known), CASE
          WHEN (SELECT count(*) FROM jsonb_object_keys((kinds_of_line(known) || excluded.detail) - ${NO_TYPE})) <= ${MOST_TYPES}
            THEN excluded.detail
          ELSE ${WITHOUT_TYPES}
        END)
        WHEN (SELECT count(*) FROM jsonb_object_keys(known.detail)) < ${MOST_TYPES}
          THEN nullif(coalesce(known.detail, '{}') - ${MISTAKEN} || coalesce(excluded.detail, '{}'), '{}')
        ELSE known.detail - ${MISTAKEN}
      END,
      lacking = excluded.lacking,
      is_staged = known.is_staged OR excluded.is_staged,
      is_created = excluded.is_created OR (known.is_created AND known.resolved_at IS NULL),
      times = CASE WHEN ${IS_REPEATED} THEN known.times + 1 ELSE 1 END,
      request_id = excluded.request_id,
      first_seen_at = CASE
        WHEN ${IS_REPEATED} THEN least(known.first_seen_at, excluded.first_seen_at)
        ELSE excluded.first_seen_at
      END,
      last_seen_at = CASE
        WHEN ${IS_REPEATED} THEN greatest(known.last_seen_at, excluded.last_seen_at)
        ELSE excluded.last_seen_at
      END,
      resolved_at = excluded.resolved_at
    WHERE known.import_supplier_code = excluded.import_supplier_code
      AND known.external_account_number = excluded.external_account_number
      AND (excluded.resolved_at IS NULL OR (known.resolved_at IS NOT NULL AND NOT ${IS_SKIPPED}))
    RETURNING known.account_import_id, known.operation, known.times, known.is_created,
      known.resolved_at IS NULL AS is_open
  ),
  event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT import_supplier_code, 'account.refused', external_account_number, number, jsonb_build_object(
      'operation', remembered.operation, 'code', code, 'errors', errors), at
    FROM remembered
    JOIN standing ON id = account_import_id AND standing.operation = remembered.operation
    LEFT JOIN LATERAL (
      SELECT service_account_number AS number
      FROM accounts
      WHERE remembered.is_created AND accounts.account_import_id = standing.id
    ) AS account ON true
    WHERE is_open AND times = 1 AND remembered.operation <> 'dry_run'
  )
  INSERT INTO audit_events ${AUDITED_CALL} 'account_import', remembered.operation || '_refused',
    jsonb_build_object('code', code, 'errors', errors)
  FROM remembered
  JOIN standing ON id = account_import_id AND standing.operation = remembered.operation
  WHERE remembered.is_created AND is_open AND times = 1`;
