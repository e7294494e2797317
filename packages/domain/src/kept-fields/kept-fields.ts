import {
  type ImportOperation,
  type KeptField,
  type KeptFieldCount,
  LIMITS,
  type ListKeptFieldsRequest,
  tooMuchToKeep,
} from '@causeway/contracts';
import { fragment, narrow, sql } from '@causeway/db';
import { refuseReadOnly } from '../shared/actor.ts';
import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';

/**
 * What a call adds to the JSON of its statement for the undocumented fields that are kept with what it stores: nothing
 * if there are none.
 */
export function keptWith({ undocumented }: Pick<Context, 'undocumented'>): Record<string, unknown> {
  return undocumented === undefined ? {} : { kept_fields: JSON.parse(undocumented) };
}

/** The refusal of an import with whose undocumented fields too many would be kept of its account. */
export function tooMuchKept({ undocumented }: Pick<Context, 'undocumented'>): DomainError {
  const [first] = JSON.parse(undocumented ?? '[]') as { path: string }[];
  return new DomainError('request_failed_validation', 'The request failed validation.', {
    errors: [tooMuchToKeep(first?.path ?? '')],
  });
}

/** What is kept of an account, field by field, in the order in which it was sent. */
export function keptFieldsOf(kept: KeptFieldsRow[] | null): KeptField[] {
  return (kept ?? []).flatMap(({ operation, fields }) =>
    fields.map(({ path, value }) => ({ operation: operation as ImportOperation, path, value })),
  );
}

/** The undocumented fields of one call. */
export interface KeptFieldsRow {
  operation: string;
  fields: { path: string; value: unknown }[];
}

/** What is kept of the account import `import`, oldest first, as JSON; NULL if nothing is. */
export const KEPT_OF_IMPORT = fragment`
      SELECT json_agg(json_build_object('operation', operation, 'fields', fields) ORDER BY id)
      FROM (
        SELECT 0 AS id, 'stage' AS operation, import.kept_fields AS fields
        WHERE import.kept_fields IS NOT NULL
        UNION ALL
        SELECT id, operation, fields
        FROM kept_fields
        WHERE account_import_id = import.id
      ) AS kept`;

export const READ_KEPT_FIELDS = sql('read-kept-fields', { kept: narrow<KeptFieldsRow[] | null>('json | null') })`
  SELECT (${KEPT_OF_IMPORT}) AS kept
  FROM account_imports AS import
  WHERE id = ${'id'}`;

/**
 * The kept fields of an import supplier's accounts, by operation and path, those of most accounts first: of the newest
 * `accounts` that were staged with some, and of as many imports. Each path is folded once, however many accounts have
 * it.
 */
export const COUNT_KEPT_FIELDS = sql('count-kept-fields', {
  operation: 'text',
  path: 'text',
  accounts: 'integer',
  values: 'integer',
})`
  WITH kept AS MATERIALIZED (
    SELECT account_import_id, operation, field->>'path' AS sent
    FROM (
      (
        SELECT id AS account_import_id, 'stage' AS operation, kept_fields AS fields
        FROM account_imports
        WHERE import_supplier_code = ${'code'} AND kept_fields IS NOT NULL
        ORDER BY staging_order DESC
        LIMIT ${'accounts'}
      )
      UNION ALL
      (
        SELECT account_import_id, operation, fields
        FROM kept_fields
        WHERE EXISTS (SELECT FROM account_imports WHERE id = account_import_id AND import_supplier_code = ${'code'})
        LIMIT ${'accounts'}
      )
    ) AS rows
    CROSS JOIN json_array_elements(fields) AS field
  ),
  folded AS MATERIALIZED (
    SELECT sent, regexp_replace(sent, '(?<=^|[.])[0-9]+(?=[.]|$)', '*', 'g') AS path
    FROM (SELECT DISTINCT sent FROM kept) AS distinct_path
  ),
  of_account AS MATERIALIZED (
    SELECT operation, path, account_import_id, count(*) AS values
    FROM kept
    JOIN folded USING (sent)
    GROUP BY operation, path, account_import_id
  )
  SELECT operation, path, count(*)::integer AS accounts, sum(values)::integer AS values
  FROM of_account
  GROUP BY operation, path
  ORDER BY accounts DESC, operation, path
  LIMIT ${'limit'}`;

/** So that it takes about a second at most, however many accounts there are. */
const COUNTED_ACCOUNTS = 50_000;

/**
 * The undocumented fields that are kept of an import supplier's accounts, counted by operation and path with list
 * indexes as `*`, those of most accounts first (behaviour 14.4.5); of many accounts the newest. An unknown code is
 * `import_supplier_does_not_exist`. Refuses a key that may only read: senders write names of people as names of fields.
 */
export async function listKeptFields(context: Context, { code }: ListKeptFieldsRequest): Promise<KeptFieldCount[]> {
  refuseReadOnly(
    context,
    'A read-only key cannot see the names of undocumented fields: they may contain personal data.',
  );
  await findImportSupplier(context, code, 'code');
  const rows = await context.database.query(COUNT_KEPT_FIELDS, {
    code,
    accounts: COUNTED_ACCOUNTS,
    limit: LIMITS.kept_paths,
  });
  return rows.map((row) => ({ ...row, operation: row.operation as ImportOperation }));
}
