import { randomUUID } from 'node:crypto';

/** Rows of a statement, from a connection of the tables' owner. */
type Query = (text: string, values: unknown[]) => Promise<unknown[]>;

/** A sealed manifest of an import supplier that claims everything that is stored, but no fingerprints. Its id. */
export async function lodgeStored(query: Query, code: string): Promise<string> {
  const id = randomUUID();
  await query(
    `INSERT INTO manifests (id, import_supplier_code, source_system, as_of, state, totals, accounts, computed_from_book,
       digest, lodged_before_load, created_by, created_at, sealed_by, sealed_at)
     SELECT $1, $2, 'Test', now(), 'SEALED', '{}', greatest(count(*), 1), false, sha256('test'), false, key.id, now(),
       key.id, now()
     FROM (SELECT id FROM api_keys WHERE organisation_id IS NOT NULL LIMIT 1) AS key
     LEFT JOIN account_imports ON import_supplier_code = $2 AND state = 'COMPLETED' GROUP BY key.id`,
    [id, code],
  );
  await query(
    `WITH of_type AS (
       SELECT account_import_id, type, count(*), sum(amount) FROM transactions GROUP BY 1, 2
     ), moved AS (
       SELECT account_import_id, sum(count) AS transactions, sum(sum) AS transactions_sum,
         jsonb_object_agg(type, jsonb_build_object('count', count, 'amount', sum::text)) AS by_type
       FROM of_type GROUP BY 1
     ), billed AS (
       SELECT account_import_id, count(*) AS statements, sum(gross_amount) AS statements_gross FROM statements GROUP BY 1
     ), noted AS (
       SELECT account_import_id, count(*) AS notes FROM notes WHERE NOT is_generated GROUP BY 1
     )
     INSERT INTO manifest_accounts (manifest_id, account_import_id, part, external_account_number, transfer_balance,
       notes, transactions, transactions_sum, by_type, statements, statements_gross, payment_instruction)
     SELECT $1, import.id, 1, external_account_number, coalesce(transfer_balance, 0), coalesce(notes, 0),
       coalesce(transactions, 0), coalesce(transactions_sum, 0), coalesce(by_type, '{}'), coalesce(statements, 0),
       coalesce(statements_gross, 0),
       EXISTS (SELECT FROM payment_instructions AS own WHERE own.account_import_id = import.id)
     FROM accounts JOIN account_imports AS import ON import.id = account_import_id
     LEFT JOIN moved USING (account_import_id) LEFT JOIN billed USING (account_import_id)
     LEFT JOIN noted USING (account_import_id)
     WHERE import_supplier_code = $2 ORDER BY import.id`,
    [id, code],
  );
  return id;
}

/** A reconciliation of the manifest, with so many ranges, which waits for a lane. Its id. */
export async function putReconciliation(query: Query, manifestId: string, ranges: number): Promise<string> {
  const id = randomUUID();
  await query(
    `WITH reconciliation AS (
       INSERT INTO reconciliations (id, import_supplier_code, manifest_id, created_by, created_at)
       SELECT $1::uuid, import_supplier_code, id, created_by, now() FROM manifests WHERE id = $2
     )
     INSERT INTO reconciliation_ranges (reconciliation_id, number, from_id, to_id)
     SELECT $1::uuid, n + 1, rpad(lpad(to_hex((n::bigint << 32) / $3::int), 8, '0'), 32, '0')::uuid,
       CASE WHEN n + 1 < $3::int THEN rpad(lpad(to_hex(((n + 1)::bigint << 32) / $3::int), 8, '0'), 32, '0')::uuid END
     FROM generate_series(0, $3::int - 1) AS n`,
    [id, manifestId, ranges],
  );
  return id;
}
