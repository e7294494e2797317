import type { AccountImportState } from '@causeway/contracts';
import { fragment, sql } from '@causeway/db';
import { startsWith } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';

export interface NumberSearch {
  code: string;
  /** Not empty. */
  search: string;
  states: readonly AccountImportState[];
  limit: number;
  /** The account after which the page begins. */
  after?: { external_account_number: string; service_account_number: string | null } | undefined;
}

/**
 * The ids of one supplier's account imports in these states whose external account number begins with `search`, by that
 * number; then of those whose service account number does, by that. It reads as much of an index as the page has,
 * however many accounts there are.
 */
export async function searchByNumber(
  { database }: Context,
  { states, after, ...search }: NumberSearch,
): Promise<{ id: string }[]> {
  const isInSecondPart = after !== undefined && !after.external_account_number.startsWith(search.search);
  const first = isInSecondPart
    ? []
    : await database.query(SEARCH_BY_EXTERNAL_NUMBER, {
        ...{ ...search, states: [...states] },
        after: after?.external_account_number ?? '',
      });
  const limit = search.limit - first.length;
  // Only an account that exists has such a number.
  const second =
    limit === 0 || !states.includes('COMPLETED')
      ? []
      : await database.query(SEARCH_BY_SERVICE_NUMBER, {
          ...{ ...search, limit },
          after: isInSecondPart ? (after.service_account_number ?? '') : '',
        });
  return [...first, ...second];
}

const SEARCH = fragment`${'search'}::text`;
const HAS_EXTERNAL_NUMBER = startsWith(fragment`external_account_number`, SEARCH);

/** By external account number: one index range for each state, after the number `after`. */
export const SEARCH_BY_EXTERNAL_NUMBER = sql('search-by-external-number', { id: 'uuid' })`
  SELECT found.id
  FROM unnest(${'states'}::text[]::account_import_state[]) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT id, external_account_number
    FROM account_imports
    WHERE import_supplier_code = ${'code'}
      AND state = wanted.state
      AND ${HAS_EXTERNAL_NUMBER}
      AND external_account_number ~>~ ${'after'}::text
    ORDER BY external_account_number USING ~<~
    LIMIT ${'limit'}
  ) AS found
  ORDER BY found.external_account_number USING ~<~
  LIMIT ${'limit'}`;

/** By service account number, after the number `after`, without those that the other statement finds. */
export const SEARCH_BY_SERVICE_NUMBER = sql('search-by-service-number', { id: 'uuid' })`
  SELECT id
  FROM account_imports
  WHERE import_supplier_code = ${'code'}
    AND ${startsWith(fragment`service_account_number`, SEARCH)}
    AND service_account_number ~>~ ${'after'}::text
    AND NOT (${HAS_EXTERNAL_NUMBER})
  ORDER BY service_account_number USING ~<~
  LIMIT ${'limit'}`;
