import { join } from 'node:path';
import { createTestDatabase, statementsOf } from '@causeway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillEveryTable, SMALL_TABLES } from './support/fill-every-table.ts';

const { database, owner, drop } = await createTestDatabase();
const statements = await statementsOf(join(import.meta.dirname, '../src'));

beforeAll(() => fillEveryTable(owner, 5_000));
afterAll(drop);

async function planOf(text: string): Promise<string> {
  const { rows } = await database.pool.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('15.3.5 a session makes one plan for all values of a statement', async () => {
  const { rows } = await database.pool.query('SHOW plan_cache_mode');
  expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }]);
});

test.each(statements)('15.3.5 $title goes through no table that grows, from end to end', async ({ text }) => {
  const scanned = [...(await planOf(text)).matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table ?? '');
  expect(scanned.filter((table) => !SMALL_TABLES.includes(table))).toEqual([]);
});

/** Of these the index has only what is to be done, or samples; the last one counts all imports for the metrics. */
const READ_TO_THE_END = [
  ...['remove-webhook-deliveries', 'list-sending-emails', 'thin-progress-samples'],
  ...['add-up-problem-changes', 'add-up-incomplete-accounts', 'count-account-imports'],
  ...['take-changed-meter-points', 'is-compared-again'],
];
const others = statements.filter(({ title }) => !READ_TO_THE_END.includes(title));

test.each(others)('14.6.5 15.3.5 $title reads of each index what its values name', async ({ title, text }) => {
  const whole = [...(await planOf(text)).matchAll(/Scan (?:Backward )?using (\w+) on (\w+).*\n(?! *Index Cond)/g)];
  const read = whole.filter(([, , table = '']) => !SMALL_TABLES.includes(table)).map(([, index]) => index);
  expect([title, read]).toEqual([title, []]);
});

/** Of what they may choose from, they read what they answer with, whichever of their filters are given. */
const IN_THE_ORDER_OF: [title: string, index: string][] = [
  ['list-differences', 'reconciliation_differences_pkey'],
  ['list-incomplete-accounts', 'incomplete_accounts_import_supplier_code_staging_order_idx'],
  ['list-unsettled-emails', 'customer_emails_unsettled_idx'],
  ['list-settled-emails', 'customer_emails_settled_idx'],
  ['list-undelivered-webhooks', 'webhook_deliveries_undelivered_idx'],
  ['list-manifest-lines', 'manifest_accounts_pkey'],
];

test.each(IN_THE_ORDER_OF)('15.3.5 %s reads a page in the order of its index', async (wanted, index) => {
  const plan = await planOf(statements.find(({ title }) => title === wanted)?.text ?? '');
  expect(plan).toMatch(new RegExp(`Index (?:Only )?Scan (?:Backward )?using ${index}`));
  expect(plan).not.toMatch(/Sort|Bitmap|Hash/);
});

test('15.3.5 one address is looked for in the index of suppressions, changes are added up by their ids', async () => {
  const plans = new Map<string, string>();
  for (const { title, text } of statements) plans.set(title, await planOf(text));
  expect(plans.get('list-email-suppressions')).toMatch(/Index Cond: .*address_digest >= .*address_digest <= /);
  expect(plans.get('add-up-problem-changes')).toMatch(/Index Cond: \(id = ANY /);
  expect(plans.get('remove-old-events')).toMatch(/Function Scan on events_between/);
});

test('28.2.4 15.3.5 of the messages of an endpoint those are read that are due, or asked for by their ids', async () => {
  const planNamed = (wanted: string) => planOf(statements.find(({ title }) => title === wanted)?.text ?? '');
  const due = await planNamed('read-due-webhook-messages');
  expect(due).toMatch(
    /using webhook_deliveries_waiting_idx .*\n *Index Cond: .*webhook_endpoint_id = .*next_attempt_at <= /,
  );
  expect(due).toMatch(/using events_pkey .*\n *Index Cond: .*organisation_id = .*\(id = /);
  const begun = await planNamed('find-begun-webhook-messages');
  expect(begun).toMatch(/Index Cond: .*webhook_endpoint_id = .*message_id >= .*message_id <= /);
});
