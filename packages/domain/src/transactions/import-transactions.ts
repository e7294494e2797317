import type { ImportTransactionsRequest, ImportTransactionsResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { accountCalls, importIntoAccount, SEEN_ACCOUNT, type SeenAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, AUDIT_FIELDS } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { dayIn, utcDatetime } from '../dates.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { NOTE_COLUMNS, NOTE_RECORD, noteRecord } from '../notes/note-record.ts';
import { decideTransactions } from './decide-transactions.ts';
import { openStatementPeriod } from './open-statement-period.ts';
import { TRANSACTION_COLUMNS, TRANSACTION_RECORD, type TransactionRecord } from './transaction-record.ts';

const importTransactionsTogether = groupedStatement<AccountWithTransactions>(
  statement(
    'import-transactions',
    `WITH ${accountCalls({
      values: `transaction_ids text[], first_date date, last_date date, today date, support_notes json, records json,
        count integer`,
      stored: `SELECT json_agg(json_build_object('transaction_id', transaction_id,
        'transaction_date', transaction_date, 'amount', amount::text, 'type', type, 'reason', reason,
        'display_note', display_note, 'note', note, 'reference', reference, 'payment_type', payment_type,
        'product_code', product_code, 'line_items', line_items, 'tax_items', tax_items, 'description', description))
      FROM (
        SELECT DISTINCT ON (transaction_id) * FROM transactions
        WHERE account_import_id = input.id AND transaction_id = ANY (input.transaction_ids)
        ORDER BY transaction_id, id
      ) first_added`,
      // Nothing is known already, and no date lies outside the open period.
      clear: `(found.stored IS NULL AND first_date >= least(found.open_statement_from, today) AND last_date <= today)`,
    })},
  added AS (
    INSERT INTO transactions (account_import_id, ${TRANSACTION_COLUMNS}, created_at)
    SELECT id, ${TRANSACTION_COLUMNS}, at FROM claimed, json_to_recordset(coalesce(records, $3::json)) AS ${TRANSACTION_RECORD}
  ),
  noted AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT id, ${NOTE_COLUMNS} FROM claimed, json_to_recordset(support_notes) AS ${NOTE_RECORD}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_FIELDS}, 'account_import', 'transactions_imported', jsonb_build_object('transactions', count)
    FROM claimed
  )
  SELECT ${SEEN_ACCOUNT}, open_statement_from, stored FROM found`,
  ),
);

interface AccountWithTransactions extends SeenAccount {
  open_statement_from: string;
  stored: TransactionRecord[] | null;
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
    write: importTransactionsTogether,
    decide(account?: AccountWithTransactions) {
      const period = account === undefined ? undefined : openStatementPeriod(account.open_statement_from, today);
      const { response, added, notes } = decideTransactions(request, account?.stored ?? [], period);
      const dates = added.map(({ transaction_date }) => transaction_date).sort();
      const values = {
        transaction_ids: request.check_previously_added ? added.map(({ transaction_id }) => transaction_id) : null,
        first_date: dates[0],
        last_date: dates.at(-1),
        today,
        support_notes: notes.map((body) => noteRecord({ body, created_at: utcDatetime(now), is_pinned: true })),
        records: added,
        count: added.length,
      };
      return { result: response, unchanged: added.length === 0, values };
    },
  });
}
