import type { ImportTransactionsRequest, ImportTransactionsResponse } from '@causeway/contracts';
import { importIntoAccount } from '../accounts/import-into-account.ts';
import type { Context } from '../context.ts';
import { dayIn, utcDatetime } from '../dates.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { noteRecord } from '../notes/note-record.ts';
import { decideTransactions } from './decide-transactions.ts';
import { type AccountWithTransactions, IMPORT_TRANSACTIONS } from './import-transactions.sql.ts';
import { openStatementPeriod } from './open-statement-period.ts';

const importTransactionsTogether = groupedStatement(IMPORT_TRANSACTIONS);

/**
 * Adds the transactions to the account, all or none (behaviour 4.5); the answer says for each, in order, whether it was
 * added or known before. Money is stored exactly. The stored `description` and a pinned note record a moved date. Two
 * equal concurrent requests add once. Refuses with `import_supplier_does_not_exist`, `account_not_found` and
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
