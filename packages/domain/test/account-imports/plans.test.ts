import { join } from 'node:path';
import { createTestDatabase, statementsOf } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';

const { database, drop } = await createTestDatabase();
afterAll(drop);

/**
 * Lists, counts, searches (generic-plans.test.ts), purges, the plan of a cohort, what was never compared and the question whether anything is
 * created yet go along an index; all others find accounts by their ids.
 */
const ALONG_AN_INDEX =
  /^(?:list-(?!\w+(?:-\w+)?-place_)|count-|find-account-imports|search-by-|skip-some|find-staged-payloads|plan-bulk-cohort|seal-manifest|settle-late-refusals|find-suppliers-never-compared|read-never-compared)/;

const all = await statementsOf(join(import.meta.dirname, '../../src'));
const statements = all.filter(({ name, text }) => /account_imports/.test(text) && !ALONG_AN_INDEX.test(name));

async function planOf(text: string): Promise<string> {
  const { rows } = await database.pool.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

// Of an index by supplier, a plan would go through all of its accounts, for as long as the statement is prepared.
test.each(statements)(
  '15 $name, if it is planned before there are accounts, finds each by its id',
  async ({ text }) => {
    expect(await planOf(text)).not.toMatch(/account_imports_\w+_idx|Seq Scan on account_imports/);
  },
);

// A subplan that is hashed reads the open refusals, or the numbers, of all accounts, each time that one is created.
test.each(all.filter(({ text }) => /INSERT INTO accounts\b/.test(text)))(
  '15 $name looks for the open refusals and the numbers of its own accounts only',
  async ({ text }) => {
    const plan = await planOf(text);
    expect(plan).toMatch(/Scan using account_import_refusals_pkey/);
    expect(plan).toMatch(/Scan using accounts_service_account_number_key/);
    expect(plan).not.toMatch(/hashed SubPlan/);
  },
);

test.each(all.filter(({ name }) => name.startsWith('settle-late-refusals')))(
  '15 $name begins with the accounts that were erased lately, and with the refusals that were seen lately',
  async ({ text }) => {
    const plan = await planOf(text);
    expect(plan).toMatch(/Scan (?:using|on) account_imports_erased_at_idx/);
    expect(plan).toMatch(/Scan using account_import_refusals_last_seen_at_idx/);
    expect(plan).not.toMatch(/Seq Scan on account_|Scan using account_import_refusals_pkey .*\n *(?! |Index Cond)/);
  },
);

test.each(all.filter(({ text }) => /(?:FROM|DELETE FROM) events\b/.test(text)))(
  '27.2.5 $name reads a range of the events of one organisation',
  async ({ text }) => {
    const plan = await planOf(text);
    expect(plan).toMatch(/Scan (?:using|on) events_pkey/);
    expect(plan).not.toMatch(/Seq Scan on events/);
  },
);
