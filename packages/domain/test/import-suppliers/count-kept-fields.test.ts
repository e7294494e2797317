import { createTestDatabase } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { COUNT_KEPT_FIELDS } from '../../src/kept-fields/kept-fields.ts';

const { owner, database, drop } = await createTestDatabase();
afterAll(drop);

const FILL = `
  WITH organisation AS (
    INSERT INTO organisations VALUES (gen_random_uuid(), 'Northwind', now()) RETURNING id
  ),
  supplier AS (
    INSERT INTO import_suppliers (code, organisation_id, name, country, document_root, send_customer_emails,
      reject_undocumented_fields, created_at)
    SELECT 'NW-1', id, 'Northwind', 'GB', 'NW-1', false, false, now() FROM organisation
    RETURNING code
  )
  INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, staging_order, payload,
    kept_fields, staged_at, updated_at)
  SELECT account_import_id(code, 'A-' || n), code, 'A-' || n, 'STAGED', n, '{}', json_build_array(
      json_build_object('path', 'customers.0.age_' || n, 'value', n),
      json_build_object('path', 'customers.' || n || '.nick', 'value', n)
    ), now(), now()
  FROM supplier, generate_series(1, 5) AS n`;

test('14.4.5 of more accounts than are counted the newest are, whatever index a path has', async () => {
  await owner.pool.query(FILL);
  const counted = await database.query(COUNT_KEPT_FIELDS, { code: 'NW-1', accounts: 2, limit: 10 });
  expect(counted).toEqual([
    { operation: 'stage', path: 'customers.*.nick', accounts: 2, values: 2 },
    { operation: 'stage', path: 'customers.*.age_4', accounts: 1, values: 1 },
    { operation: 'stage', path: 'customers.*.age_5', accounts: 1, values: 1 },
  ]);
});
