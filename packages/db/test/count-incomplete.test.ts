import { expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
import { migrate } from '../src/index.ts';
import { fillBook } from './fixtures/fill-book.ts';

// As the previous version leaves it. Of the created accounts of NW-1 each has one open refusal, the others' are not counted.
const REFUSED_BEFORE = `
  DROP TABLE incomplete_accounts, incomplete_account_counts;
  DROP FUNCTION count_incomplete_account CASCADE;
  DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_count_incomplete_accounts';
  INSERT INTO account_import_refusals (account_import_id, operation, reported, import_supplier_code,
    external_account_number, code, errors, problems, is_staged, is_created, request_id, first_seen_at, last_seen_at,
    resolved_at)
  SELECT id, operation, reported, import_supplier_code, external_account_number, 'x', '[]', '{x}', true,
    state = 'COMPLETED', 'r', now(), now(), resolved_at
  FROM account_imports,
    (VALUES ('notes', '', NULL), ('transactions', '', now()), ('statements', 'x', NULL)) AS v
      (operation, reported, resolved_at)
  WHERE import_supplier_code = 'NW-1' OR resolved_at IS NOT NULL OR reported <> ''`;

test('15.4 the migration that counts incomplete accounts begins with those that there are', async () => {
  const { ownerUrl, owner, drop } = await createTestDatabase();
  await fillBook(owner.pool, 40);
  await owner.pool.query(REFUSED_BEFORE);
  await migrate(ownerUrl);
  const { rows: created } = await owner.pool.query<{ id: string }>(
    `SELECT id FROM account_imports WHERE import_supplier_code = 'NW-1' AND state = 'COMPLETED' ORDER BY staging_order`,
  );
  expect(created.length).toBeGreaterThan(2);
  const { rows: counts } = await owner.pool.query(
    'SELECT import_supplier_code, accounts FROM incomplete_account_counts',
  );
  expect(counts).toEqual([{ import_supplier_code: 'NW-1', accounts: created.length }]);
  const { rows: incomplete } = await owner.pool.query<{ id: string }>(
    'SELECT account_import_id AS id FROM incomplete_accounts ORDER BY staging_order',
  );
  expect(incomplete).toEqual(created);
  // From then on it counts by itself.
  await owner.pool.query('UPDATE account_import_refusals SET resolved_at = now() WHERE account_import_id = $1', [
    created[0]?.id,
  ]);
  const { rows: after } = await owner.pool.query('SELECT sum(accounts)::integer FROM incomplete_account_counts');
  expect(after).toEqual([{ sum: created.length - 1 }]);
  await drop();
});
