import type { AccountImportState } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { SEARCH_BY_EXTERNAL_NUMBER, SEARCH_BY_SERVICE_NUMBER } from './search-by-number.sql.ts';

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
