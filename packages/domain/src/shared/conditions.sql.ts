import { HISTORY_FIELDS } from '@causeway/contracts';
import { type Fragment, fragment, rawSql } from '@causeway/db';

/**
 * Whether the account import `import`, found by its id, is the one that was named (behaviour 15.1.2). Not by `=`: a
 * plan made while the table is empty may take the supplier's index for that, and go through all of its accounts for as
 * long as the statement is prepared.
 */
export const IS_NAMED = fragment`import.import_supplier_code IS NOT DISTINCT FROM ${'import_supplier_code'}
      AND import.external_account_number IS NOT DISTINCT FROM ${'external_account_number'}`;

/** The same, named by a row of `input`. */
export const IS_NAMED_BY_INPUT = fragment`import.import_supplier_code IS NOT DISTINCT FROM input.import_supplier_code
      AND import.external_account_number IS NOT DISTINCT FROM input.external_account_number`;

/** No character comes after it. */
export const LAST_CHARACTER = rawSql("U&'\\+10FFFF'");

/**
 * Whether a text begins with another one, as a range of an index with `text_pattern_ops`. Not by LIKE: of a pattern that
 * is a parameter, PostgreSQL makes no range once it has planned the statement for good.
 */
export function startsWith<Name extends string>(text: Fragment, beginning: Fragment<Name>): Fragment<Name> {
  return fragment`${text} ~>=~ ${beginning} AND ${text} ~<~ (${beginning} || ${LAST_CHARACTER})`;
}

/** What may follow the beginning in `startsWithAtMost`: anything, or nothing. */
export const MAY_FOLLOW = { anything: '\u{10FFFF}', nothing: '' } as const;

/** The same range, which a parameter closes: with MAY_FOLLOW.nothing it has only the text itself. */
export function startsWithAtMost<Name extends string>(
  text: Fragment,
  beginning: Fragment<Name>,
): Fragment<Name | 'may_follow'> {
  return fragment`${text} ~>=~ ${beginning} AND ${text} ~<=~ (${beginning} || ${'may_follow'}::text)`;
}

/** No types of payment instruction. */
export const NO_TYPES = fragment`ARRAY[]::text[]`;

/** The fields of a payload that `CREATE_BUNDLES` writes, and no statement keeps as details of the account. */
export const HISTORY = rawSql(`ARRAY['${HISTORY_FIELDS.join("', '")}']`);

/** What stays of a payload when it is removed: a later line of a book is compared with it (behaviour 21.8.6). */
export function digestOfPayload<Name extends string = never>(payload: Fragment<Name>): Fragment<Name> {
  return fragment`sha256(convert_to((${payload} - ${HISTORY})::text, 'UTF8'))`;
}

/** How many accounts of an import supplier were undone. It only grows: of two such numbers the difference is what was undone. */
export function undoneOf<Name extends string = never>(importSupplierCode: Fragment<Name>): Fragment<Name> {
  return fragment`(
        SELECT count(*)::integer
        FROM retired_service_account_numbers AS retired
        WHERE retired.import_supplier_code = ${importSupplierCode}
      )`;
}
