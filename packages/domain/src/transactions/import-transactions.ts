import type { ImportTransactionsRequest, ImportTransactionsResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { CLAIM_REVISION, FIND_ACCOUNT, importIntoAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { NOTE_COLUMNS, NOTE_RECORD, noteRecord } from '../notes/note-record.ts';
import { decideTransactions } from './decide-transactions.ts';
import { openStatementPeriod } from './open-statement-period.ts';
import { TRANSACTION_COLUMNS, TRANSACTION_RECORD, type TransactionRecord } from './transaction-record.ts';

const READ_TRANSACTIONS = statement(
  'read-transactions',
  `SELECT account.revision, account.last_billed_to_date, account.created_at, coalesce((
    SELECT json_agg(json_build_object('transaction_id', transaction_id, 'transaction_date', transaction_date,
      'amount', amount::text, 'type', type, 'reason', reason, 'display_note', display_note, 'note', note,
      'reference', reference, 'payment_type', payment_type, 'product_code', product_code, 'line_items', line_items,
      'tax_items', tax_items, 'description', description) ORDER BY id)
    FROM transactions WHERE account_import_id = $1 AND transaction_id = ANY ($4::text[])
  ), '[]') AS transactions
  FROM ${FIND_ACCOUNT}`,
);

const WRITE_TRANSACTIONS = statement(
  'write-transactions',
  `WITH ${CLAIM_REVISION},
  added AS (
    INSERT INTO transactions (account_import_id, ${TRANSACTION_COLUMNS}, created_at)
    SELECT account_import_id, ${TRANSACTION_COLUMNS}, $5 FROM account, json_to_recordset($7::json) AS ${TRANSACTION_RECORD}
  ),
  noted AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT account_import_id, ${NOTE_COLUMNS} FROM account, json_to_recordset($8::json) AS ${NOTE_RECORD}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'transactions_imported',
      jsonb_build_object('transactions', json_array_length($7::json)) FROM account
  )
  SELECT FROM account`,
);

interface AccountWithTransactions {
  revision: number;
  last_billed_to_date: string | null;
  created_at: Date;
  transactions: TransactionRecord[];
}

/**
 * Adds the transactions to the account, all or none (specification 4.5); answers for each, in order, whether it was
 * added or known before. Money is stored exactly. A moved date is told in the stored `description` and in a pinned
 * note. Two equal requests at once add once. Refuses with `import_supplier_does_not_exist`, `account_not_found` and
 * `transaction_outside_open_statement_period` (a transaction outside the open statement period that must not be moved).
 */
export function importTransactions(
  context: Context,
  request: ImportTransactionsRequest,
): Promise<ImportTransactionsResponse> {
  const { import_supplier, external_account_number, transactions } = request;
  const ids = request.check_previously_added ? transactions.map(({ transaction_id }) => transaction_id) : [];
  return importIntoAccount(context, request, {
    async read(id) {
      const values = [id, import_supplier, external_account_number, ids];
      const [account] = await context.database.query<AccountWithTransactions>(READ_TRANSACTIONS, values);
      return account;
    },
    async write(id, account) {
      const now = context.clock();
      const period = openStatementPeriod(account, context.timeZone, now);
      const { response, added, notes } = decideTransactions(request, account.transactions, period);
      if (added.length === 0) {
        return response;
      }
      const noteRecords = notes.map((body) => noteRecord({ body, created_at: utcDatetime(now), is_pinned: true }));
      const rows = [JSON.stringify(added), JSON.stringify(noteRecords)];
      const values = [...auditValues(context, id), account.revision, ...rows];
      const claimed = await context.database.query(WRITE_TRANSACTIONS, values);
      return claimed.length === 1 ? response : undefined;
    },
  });
}
