import type { ImportTransactionsRequest, ImportTransactionsResponse } from '@causeway/contracts';
import { importIntoAccount } from '../accounts/import-into-account.ts';
import type { Context } from '../context.ts';
import { dayIn, utcDatetime } from '../dates.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { supportNoteRecord } from '../notes/note-record.ts';
import type { Report } from '../refusals/report.ts';
import { type FindBalanceFaults, reportBalance } from '../refusals/report-balance.ts';
import { reportDifferences } from '../refusals/report-differences.ts';
import { decideTransactions } from './decide-transactions.ts';
import { type AccountWithTransactions, IMPORT_TRANSACTIONS } from './import-transactions.sql.ts';
import { openStatementPeriod } from './open-statement-period.ts';

const importTransactionsTogether = groupedStatement(IMPORT_TRANSACTIONS);

/**
 * Adds the transactions to the account, all or none (behaviour 4.5); the answer says for each, in order, whether it was
 * added or known before. Money is stored exactly. The stored `description` and a pinned note record a moved date. Two
 * equal concurrent requests add once. Refuses with `import_supplier_does_not_exist`, `account_not_found` and
 * `transaction_outside_open_statement_period` (of a transaction whose date must not be moved). What differs from a
 * known one, and what does not add up, is reported (behaviour 4.5.14, 4.17.14).
 */
export async function importTransactions(
  context: Context,
  request: ImportTransactionsRequest,
  findBalanceFaults: FindBalanceFaults = () => [],
): Promise<ImportTransactionsResponse> {
  const supplier = await findImportSupplier(context, request.import_supplier, 'import_supplier');
  const now = context.clock();
  const today = dayIn(context.timeZone, now);
  let unbalanced: Report[] | undefined;
  return importIntoAccount(context, request, {
    operation: 'transactions',
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
        support_notes: notes.map((body) => supportNoteRecord(body, utcDatetime(now))),
        records: added,
        count: added.length,
      };
      return { result: response, unchanged: added.length === 0, values };
    },
    report({ results }) {
      unbalanced ??= reportBalance(supplier, findBalanceFaults);
      return [...reportDifferences('transactions', results), ...unbalanced];
    },
  });
}
