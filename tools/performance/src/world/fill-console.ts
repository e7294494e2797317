import { setTimeout as delay } from 'node:timers/promises';
import { fillAccounts } from './fill.ts';
import { IMPORT_SUPPLIER } from './seed.ts';
import type { Target, World } from './world.ts';

export const PREFIX = 'HV-';
/** Kinds of problem, each of as many accounts. */
export const PROBLEMS = 40;

const CUSTOMERS = `
  INSERT INTO customers (account_import_id, position, given_name, family_name, email, details)
  SELECT account_import_id, 0, (ARRAY['Anna', 'Ben', 'Zoë', 'Priya', 'Mary', 'John', 'Omar', 'Lena'])[1 + number % 8],
    CASE WHEN number % 50 = 0 THEN 'Smith' ELSE 'Family' || number % 30000 END, 'person' || number || '@example.com', '{}'
  FROM (SELECT account_import_id, row_number() OVER () AS number FROM accounts) AS account`;

const EVENTS = `
  INSERT INTO audit_events (subject_id, subject, action, actor, api_key_id, request_id, occurred_at)
  SELECT id, 'account_import', 'staged', CASE WHEN staging_order % 20 = 0 THEN 'staff' ELSE 'supplier' END,
    (SELECT id FROM api_keys WHERE (organisation_id IS NULL) = (staging_order % 20 = 0) LIMIT 1),
    gen_random_uuid()::text, now()
  FROM account_imports`;

/** One account has 1,000 of them: much happened to it. */
const MANY_EVENTS = `
  INSERT INTO audit_events (subject_id, subject, action, actor, api_key_id, request_id, occurred_at)
  SELECT subject_id, subject, 'staged_again', actor, api_key_id, gen_random_uuid()::text, occurred_at
  FROM audit_events
  CROSS JOIN generate_series(1, 999)
  WHERE subject_id = (SELECT id FROM account_imports WHERE external_account_number = $1)`;

const REFUSALS = `
  INSERT INTO account_import_refusals (account_import_id, operation, import_supplier_code, external_account_number, code,
    errors, problems, is_staged, is_created, request_id, first_seen_at, last_seen_at)
  SELECT id, 'stage', import_supplier_code, external_account_number, 'account_failed_validation',
    json_build_array(json_build_object('code', 'invalid_phone_number', 'attr', 'customers.0.field_' || staging_order % $2)),
    ARRAY['invalid_phone_number customers.*.field_' || staging_order % $2], true, false, gen_random_uuid()::text, now(), now()
  FROM account_imports WHERE state = 'STAGED' LIMIT $1`;

/**
 * What a console shows of one import supplier: account imports, half of them created, with a customer each; a problem of
 * every tenth, and an event of every one.
 */
export async function fillConsole(world: World, target: Target, accounts: number): Promise<void> {
  const query = (text: string, values: unknown[] = []) => world.postgres.query(target.database, text, values);
  await fillAccounts(world, target, { prefix: PREFIX, from: 0, to: accounts, completedEvery: 2 });
  await query(CUSTOMERS);
  await query(EVENTS);
  await query(MANY_EVENTS, [`${PREFIX}1000`]);
  await query(REFUSALS, [Math.ceil(accounts / 10), PROBLEMS]);
  await query('VACUUM ANALYZE');
  const counted = `SELECT FROM progress_samples WHERE import_supplier_code = '${IMPORT_SUPPLIER}' AND staged > 0`;
  // Until the service has added the problems up, and counted the accounts.
  while (
    (await query('SELECT FROM import_problem_changes LIMIT 1')).length > 0 ||
    (await query(`${counted} LIMIT 1`)).length === 0
  ) {
    await delay(1_000);
  }
}
