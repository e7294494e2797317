import type { ImportTransactionsRequest, ImportTransactionsResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { claimAccount, FIND_ACCOUNT, importIntoAccount, type SeenAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { dayIn, utcDatetime } from '../dates.ts';
import { NOTE_COLUMNS, NOTE_RECORD, noteRecord } from '../notes/note-record.ts';
import { decideTransactions } from './decide-transactions.ts';
import { openStatementPeriod } from './open-statement-period.ts';
import { TRANSACTION_COLUMNS, TRANSACTION_RECORD, type TransactionRecord } from './transaction-record.ts';

// Not clear: a transaction that is known already ($12 asks for that), or lies outside the open period (to $11, today).
const CLEAR = `NOT EXISTS (SELECT FROM stored) AND NOT EXISTS (
    SELECT FROM record WHERE transaction_date < least(found.open_statement_from, $11::date) OR transaction_date > $11
  )`;

const IMPORT_TRANSACTIONS = statement(
  'import-transactions',
  `WITH ${FIND_ACCOUNT},
  record AS MATERIALIZED (SELECT ${TRANSACTION_COLUMNS} FROM json_to_recordset($9::json) AS ${TRANSACTION_RECORD}),
  stored AS MATERIALIZED (
    SELECT DISTINCT ON (transaction_id) id, ${TRANSACTION_COLUMNS} FROM transactions
    WHERE $12 AND account_import_id = $1 AND transaction_id IN (SELECT transaction_id FROM record)
    ORDER BY transaction_id, id
  ),
  ${claimAccount(CLEAR)},
  added AS (
    INSERT INTO transactions (account_import_id, ${TRANSACTION_COLUMNS}, created_at)
    SELECT $1, ${TRANSACTION_COLUMNS}, $5 FROM claimed, record
  ),
  noted AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT $1, ${NOTE_COLUMNS} FROM claimed, json_to_recordset($10::json) AS ${NOTE_RECORD}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'transactions_imported',
      jsonb_build_object('transactions', json_array_length($9::json)) FROM claimed
  )
  SELECT revision, open_statement_from, EXISTS (SELECT FROM claimed) AS written, (
    SELECT coalesce(json_agg(json_build_object('transaction_id', transaction_id, 'transaction_date', transaction_date,
      'amount', amount::text, 'type', type, 'reason', reason, 'display_note', display_note, 'note', note,
      'reference', reference, 'payment_type', payment_type, 'product_code', product_code, 'line_items', line_items,
      'tax_items', tax_items, 'description', description) ORDER BY id), '[]') FROM stored
  ) AS transactions
  FROM found`,
);

interface AccountWithTransactions extends SeenAccount {
  open_statement_from: string;
  transactions: TransactionRecord[];
}

/**
 * Adds the transactions to the account, all or none (specification 4.5); answers for each, in order, whether it was
 * added or known before. Money is stored exactly. A moved date is told in the stored `description` and in a pinned
 * note. Two equal requests at once add once. Refuses with `import_supplier_does_not_exist`, `account_not_found` and
 * `transaction_outside_open_statement_period` (of a transaction whose date must not be moved).
 */
export function importTransactions(
  context: Context,
  request: ImportTransactionsRequest,
): Promise<ImportTransactionsResponse> {
  const now = context.clock();
  const today = dayIn(context.timeZone, now);
  return importIntoAccount(context, request, {
    statement: IMPORT_TRANSACTIONS,
    decide(account?: AccountWithTransactions) {
      const period = account === undefined ? undefined : openStatementPeriod(account.open_statement_from, today);
      const { response, added, notes } = decideTransactions(request, account?.transactions ?? [], period);
      const noteRecords = notes.map((body) => noteRecord({ body, created_at: utcDatetime(now), is_pinned: true }));
      const values = [JSON.stringify(added), JSON.stringify(noteRecords), today, request.check_previously_added];
      return { result: response, unchanged: added.length === 0, values };
    },
  });
}
