import { setTimeout as delay } from 'node:timers/promises';
import { lodgeStored, putReconciliation } from '@causeway/testing';
import { IMPORT_SUPPLIER } from './seed.ts';
import type { Target, World } from './world.ts';

/** As the service divides them: the limit `reconciliation_range_accounts`. */
const ACCOUNTS_OF_RANGE = 2_000;
const LOOKED_AT_EVERY_MS = 50;

/**
 * Accounts without history. The id is as the service derives it. Service account numbers are spread over all of 2^32 by an
 * odd factor, as random ones are.
 */
const ACCOUNTS = `
  WITH import AS (
    INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, staging_order, payload,
      staged_at, updated_at, attempts, completed_at, service_account_number)
    SELECT account_import_id($1, 'R' || n), $1, 'R' || n, 'COMPLETED', n, '{"customers": [{"given_name": "Zoe"}]}',
      now(), now(), 1, now(), 'A-' || upper(lpad(to_hex((n * 2654435761) & 4294967295), 8, '0'))
    FROM (SELECT nextval('account_imports_staging_order_seq') AS n FROM generate_series(1, $2::int)) AS number
    RETURNING id, service_account_number
  )
  INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type,
    last_billed_to_date, open_statement_from, transfer_balance, details, created_at)
  SELECT import.id, service_account_number, team.id, 'DOMESTIC', current_date - 60, current_date - 59, -48.20, '{}', now()
  FROM import, operations_teams team`;

/** 24 transactions, 12 statements and 2 notes for each of them, in the order of their ids. */
const HISTORY = [
  `INSERT INTO transactions (account_import_id, transaction_id, transaction_date, amount, type, reason, created_at)
   SELECT account_import_id, 'T-' || n, date '2026-01-01' + n, 10.01 + n,
     (ARRAY['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT'])[1 + n % 4], 'IMPORTED', now()
   FROM accounts CROSS JOIN generate_series(1, 24) AS n ORDER BY account_import_id`,
  `INSERT INTO statements (account_import_id, statement_id, bill_period_from_date, bill_period_to_date, issued_date,
     number, gross_amount, statement_path, created_at)
   SELECT account_import_id, 'S-' || n, date '2025-01-01' + 28 * n, date '2025-01-28' + 28 * n, date '2025-02-01' + 28 * n,
     n::text, 20.02 + n, 'bills/' || n || '.pdf', now()
   FROM accounts CROSS JOIN generate_series(1, 12) AS n ORDER BY account_import_id`,
  `INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned)
   SELECT account_import_id, 'Asked for a paper bill.', '{}', now(), false
   FROM accounts CROSS JOIN generate_series(1, 2) ORDER BY account_import_id`,
  'VACUUM ANALYZE account_imports, accounts, transactions, statements, notes',
];

/** So many accounts with a history, by SQL: only what is read matters here. */
export async function fillAccounts({ postgres }: World, { database }: Target, accounts: number): Promise<void> {
  await postgres.query(database, ACCOUNTS, [IMPORT_SUPPLIER, accounts]);
  for (const text of HISTORY) await postgres.query(database, text);
}

/** A manifest of all accounts that claims what is stored. */
export async function lodgeManifest({ postgres }: World, { database }: Target): Promise<string> {
  const id = await lodgeStored((text, values) => postgres.query(database, text, values), IMPORT_SUPPLIER);
  await postgres.query(database, 'VACUUM ANALYZE manifest_accounts');
  return id;
}

/** What a reconciliation took from its first range to its verdict. */
export interface MeasuredReconciliation {
  verdict: string;
  differences: string;
  seconds: number;
  perSecond: number;
}

/** Lets the lanes of a target compare a manifest with what is stored. */
export async function measureReconciliation(
  { postgres }: World,
  { database }: Target,
  manifestId: string,
): Promise<MeasuredReconciliation> {
  const [manifest] = await postgres.query<{ accounts: number }>(
    database,
    'SELECT accounts FROM manifests WHERE id = $1',
    [manifestId],
  );
  const { accounts = 1 } = manifest ?? {};
  const ranges = Math.ceil(accounts / ACCOUNTS_OF_RANGE);
  const id = await putReconciliation((text, values) => postgres.query(database, text, values), manifestId, ranges);
  for (;;) {
    const [row] = await postgres.query<{ verdict: string; differences: string; seconds: number }>(
      database,
      `SELECT verdict, differences, extract(epoch FROM finished_at - started_at)::float8 AS seconds
       FROM reconciliations WHERE id = $1 AND state = 'FINISHED'`,
      [id],
    );
    if (row !== undefined) return { ...row, perSecond: accounts / row.seconds };
    await delay(LOOKED_AT_EVERY_MS);
  }
}

const TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'];
const ofEachType = (write: (type: string) => string, separator: string) => TYPES.map(write).join(separator);

/** The same comparison as one statement over whole tables, on one connection, as one would write it by hand. */
const FULL_JOIN = `
  WITH moved AS (
    SELECT account_import_id, count(*) AS transactions, sum(amount) AS transactions_sum,
      ${ofEachType(
        (type) => `count(*) FILTER (WHERE type = '${type}') AS ${type}_count,
          sum(amount) FILTER (WHERE type = '${type}') AS ${type}_amount`,
        ',\n',
      )}
    FROM transactions GROUP BY 1
  ), billed AS (
    SELECT account_import_id, count(*) AS statements, sum(gross_amount) AS statements_gross FROM statements GROUP BY 1
  ), noted AS (
    SELECT account_import_id, count(*) AS notes FROM notes WHERE NOT is_generated GROUP BY 1
  ), actual AS (
    SELECT * FROM accounts JOIN account_imports AS import ON import.id = account_import_id
    LEFT JOIN moved USING (account_import_id) LEFT JOIN billed USING (account_import_id)
    LEFT JOIN noted USING (account_import_id) LEFT JOIN payment_instructions AS instruction USING (account_import_id)
    WHERE import_supplier_code = $2
  )
  SELECT
    count(*) FILTER (WHERE expected.transfer_balance IS DISTINCT FROM coalesce(actual.transfer_balance, 0)
      OR expected.notes IS DISTINCT FROM coalesce(actual.notes, 0)
      OR expected.transactions IS DISTINCT FROM coalesce(actual.transactions, 0)
      OR expected.transactions_sum IS DISTINCT FROM coalesce(actual.transactions_sum, 0)
      OR expected.statements IS DISTINCT FROM coalesce(actual.statements, 0)
      OR expected.statements_gross IS DISTINCT FROM coalesce(actual.statements_gross, 0)
      OR ${ofEachType(
        (type) => `coalesce((by_type#>>'{${type},count}')::int, 0) IS DISTINCT FROM coalesce(${type}_count, 0)
          OR coalesce((by_type#>>'{${type},amount}')::numeric, 0) IS DISTINCT FROM coalesce(${type}_amount, 0)`,
        ' OR ',
      )}
    )::int AS different,
    count(*)::int AS accounts, sum(expected.transactions_sum), sum(actual.transactions_sum),
    sum(expected.statements_gross), sum(actual.statements_gross)
  FROM (SELECT * FROM manifest_accounts WHERE manifest_id = $1) AS expected
  FULL JOIN actual USING (account_import_id)`;

/** Accounts a second of the hand-written full join. */
export async function measureFullJoin(
  { postgres }: World,
  { database }: Target,
  manifestId: string,
): Promise<{ different: number; perSecond: number }> {
  await postgres.query(
    database,
    "SELECT set_config('max_parallel_workers_per_gather', '0', false), set_config('jit', 'off', false)",
  );
  const begunAt = performance.now();
  const [row] = await postgres.query<{ different: number; accounts: number }>(database, FULL_JOIN, [
    manifestId,
    IMPORT_SUPPLIER,
  ]);
  const { different = 0, accounts = 0 } = row ?? {};
  return { different, perSecond: (accounts * 1_000) / (performance.now() - begunAt) };
}
