import type { ImportTransactionsRequest, ImportTransactionsResponse } from '@causeway/contracts';
import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { importIntoAccount } from '../imports/import.ts';
import { accountCalls, recordsOfCall, SEEN_ACCOUNT_COLUMNS, seenAccount } from '../imports/statement.sql.ts';
import { NOTE_COLUMNS, NOTE_RECORD, supportNoteRecord } from '../notes/decide-notes.ts';
import { reportItems } from '../refusals/report-remarks.ts';
import { AUDITED_CALL } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { dayIn, utcDatetime } from '../shared/dates.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import {
  decideTransactions,
  openStatementPeriod,
  TRANSACTION_COLUMNS,
  TRANSACTION_RECORD,
  type TransactionRecord,
} from './decide-transactions.ts';

const STORED = fragment`
      SELECT json_agg(json_build_object(
        'transaction_id', transaction_id,
        'transaction_date', transaction_date,
        'original_transaction_date', original_transaction_date,
        'amount', amount::text,
        'type', type,
        'reason', reason,
        'display_note', display_note,
        'note', note,
        'reference', reference,
        'payment_type', payment_type,
        'product_code', product_code,
        'supply_point_identifier', supply_point_identifier,
        'reverses', reverses,
        'to_prepay_meter_serial_number', to_prepay_meter_serial_number,
        'line_items', line_items,
        'tax_items', tax_items,
        'description', description
      ))
      FROM (
        SELECT DISTINCT ON (transaction_id) *
        FROM transactions
        WHERE account_import_id = input.id AND transaction_id = ANY (input.transaction_ids)
        ORDER BY transaction_id, id
      ) AS first_added`;

/** Adds the records of each call as transactions, and its notes; `stored` are the account's with the same ids. */
const IMPORT_TRANSACTIONS = sql('import-transactions', {
  ...SEEN_ACCOUNT_COLUMNS,
  open_statement_from: 'date',
  stored: narrow<TransactionRecord[] | null>('json | null'),
})`
  WITH ${accountCalls({
    operation: 'transactions',
    values: fragment`transaction_ids text[], first_date date, last_date date, today date, support_notes json,
      first_record integer, last_record integer, count integer`,
    stored: STORED,
    // No transaction is known already, and no date is outside the open period.
    mayWriteUnseen: fragment`(
        found.stored IS NULL
        AND first_date >= least(found.open_statement_from, today)
        AND last_date <= today
      )`,
  })},
  added AS (
    INSERT INTO transactions (account_import_id, ${TRANSACTION_COLUMNS}, created_at)
    SELECT id, ${TRANSACTION_COLUMNS}, at
    FROM claimed, LATERAL ${recordsOfCall(TRANSACTION_RECORD)}
  ),
  noted AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT id, ${NOTE_COLUMNS}
    FROM claimed, json_to_recordset(support_notes) AS record ${NOTE_RECORD}
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', 'transactions_imported',
      jsonb_build_object('transactions', count)
    FROM claimed
  )
  SELECT ${seenAccount('transactions')}, open_statement_from, stored
  FROM found`;

type AccountWithTransactions = RowOf<typeof IMPORT_TRANSACTIONS>;

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
): Promise<ImportTransactionsResponse> {
  const now = context.clock();
  const today = dayIn(context.timeZone, now);
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
      const items = results.map(({ status, differences }, index) => ({
        identifier: request.transactions[index]?.transaction_id,
        isKnown: status === 'TRANSACTION_ALREADY_EXISTS',
        differences,
      }));
      const moved = results.flatMap(({ status, transaction_data }, index) => {
        const isMoved = transaction_data.transaction_date !== request.transactions[index]?.transaction_date;
        if (status === 'TRANSACTION_ALREADY_EXISTS' || !isMoved) return [];
        return [{ code: 'transaction_date_moved' as const, attr: `transactions.${index}.transaction_date` }];
      });
      return reportItems('transactions', items, [...(context.remarks ?? []), ...moved]);
    },
  });
}
