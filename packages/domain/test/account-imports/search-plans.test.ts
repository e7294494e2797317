import type { SqlStatement } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, expect, test } from 'vitest';
import { FIND_ACCOUNT_IMPORTS } from '../../src/account-imports/find-account-imports.sql.ts';
import { LIST_OLDEST_FIRST } from '../../src/account-imports/search-account-imports.ts';
import { SEARCH_BY_EXTERNAL_NUMBER, SEARCH_BY_SERVICE_NUMBER } from '../../src/account-imports/search-by-number.ts';
import {
  COUNT_FOR_SKIP,
  COUNT_WITH_PROBLEM_FOR_SKIP,
  SKIP_SOME,
  SKIP_SOME_WITH_PROBLEM,
} from '../../src/account-imports/skip-many.ts';
import { LIST_STAFF_EVENTS } from '../../src/overview/list-audit-events.ts';
import { LIST_BY_PROBLEM } from '../../src/refusals/list-problems.ts';
import { LIST_UNDELIVERED } from '../../src/webhooks/webhook-delivery.sql.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** The indexes in the plan that is made for any values, each with a condition, and the tables that are read whole. */
async function plannedReads({ text, parameters }: SqlStatement<unknown, string>): Promise<string[]> {
  using client = await borrowConnection(database.pool);
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE search AS ${text}`);
    const nulls = parameters.map(() => 'NULL').join(', ');
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE search (${nulls})`);
    return [...new Set(readsIn(rows[0]['QUERY PLAN'][0].Plan))].sort();
  } finally {
    client.release(true);
  }
}

function readsIn(plan: Plan): string[] {
  const { 'Index Name': index, 'Index Cond': condition, 'Relation Name': table, 'Node Type': node } = plan;
  const read = ['Bitmap Heap Scan', 'ModifyTable'].includes(node) ? undefined : (index ?? table);
  // There are few import suppliers and keys.
  const isOfInterest = read !== undefined && !/^(?:import_suppliers|api_keys)/.test(read);
  const own = isOfInterest ? [condition === undefined ? `${read}, whole` : read] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(readsIn)];
}

test('14.6.5 finding reads ranges of indexes, whatever the text is when its plan is made', async () => {
  expect(await plannedReads(FIND_ACCOUNT_IMPORTS)).toEqual([
    'account_import_refusals_request_id_idx',
    'account_imports_external_account_number_idx',
    'account_imports_pkey',
    'account_imports_service_account_number_idx',
    'accounts_business_name_idx',
    'audit_events_caller_request_id_idx',
    'audit_events_request_id_idx',
    'customers_email_idx',
    'customers_family_name_idx',
    'customers_given_name_idx',
  ]);
});

test('14.6.6 searching reads ranges of indexes, whatever the search is when its plan is made', async () => {
  expect(await plannedReads(LIST_OLDEST_FIRST)).toEqual([
    'account_imports_import_supplier_code_state_staging_order_idx',
  ]);
  expect(await plannedReads(SEARCH_BY_EXTERNAL_NUMBER)).toEqual(['account_imports_external_account_number_idx']);
  expect(await plannedReads(SEARCH_BY_SERVICE_NUMBER)).toEqual(['account_imports_service_account_number_idx']);
});

const OTHERS: [string, SqlStatement<unknown, string>][] = [
  ['counting accounts of a filter', COUNT_FOR_SKIP],
  ['counting accounts with a problem', COUNT_WITH_PROBLEM_FOR_SKIP],
  ['skipping accounts of a filter', SKIP_SOME],
  ['skipping accounts with a problem', SKIP_SOME_WITH_PROBLEM],
  ['listing the accounts of a problem', LIST_BY_PROBLEM],
  ['listing what the service team did', LIST_STAFF_EVENTS],
];

test.each(OTHERS)('14.6.7 14.6.8 14.7.4 %s reads no table and no index as a whole', async (_what, statement) => {
  const reads = await plannedReads(statement);
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.filter((read) => read.endsWith(', whole'))).toEqual([]);
});

test('28.6.1 messages that were not accepted are read from an index of their own', async () => {
  expect(await plannedReads(LIST_UNDELIVERED)).toEqual(['webhook_deliveries_undelivered_idx']);
});
