import { rawSql, sql } from '@causeway/db';

export const STORED_ACCOUNTS = stored('accounts', 'external_account_number', { amount: 'stored.transfer_balance' });
export const STORED_NOTES = stored('notes', 'coalesce(stored.body, stored.document_paths[1])');
export const STORED_TRANSACTIONS = stored('transactions', 'stored.transaction_id', {
  kind: 'stored.type',
  amount: 'stored.amount',
});
export const STORED_STATEMENTS = stored('statements', 'stored.statement_id', { amount: 'stored.gross_amount' });
export const STORED_PAYMENT_INSTRUCTIONS = stored('payment_instructions', 'stored.reference');

/** How many rows a table has of what was sent, and the money in them. One that was stored twice is counted twice. */
function stored(table: string, key: string, { kind = `''`, amount = '0' }: { kind?: string; amount?: string } = {}) {
  return sql(`demo-stored-${table}`, { kind: 'text', rows: 'bigint', amount: 'text' })`
    SELECT
      ${rawSql(kind)} AS kind,
      count(*) AS rows,
      coalesce(sum(${rawSql(amount)}), 0)::numeric(15, 2)::text AS amount
    FROM unnest(${'external_account_numbers'}::text[], ${'keys'}::text[]) AS sent (external_account_number, key)
    JOIN account_imports USING (external_account_number)
    JOIN ${rawSql(table)} AS stored
      ON stored.account_import_id = account_imports.id AND ${rawSql(key)} = sent.key
    WHERE import_supplier_code = ${'import_supplier_code'}
    GROUP BY 1`;
}
