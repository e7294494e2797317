import type { ImportTransactionsRequest, ImportTransactionsResponse, TransactionData } from '@causeway/contracts';
import { DomainError } from '../errors.ts';
import { nearestDayInside, type OpenStatementPeriod } from './open-statement-period.ts';
import { type TransactionRecord, transactionData, transactionRecord } from './transaction-record.ts';

/** The decision on an import of transactions: the answer, and the rows and support notes to write. */
export interface TransactionDecision {
  response: ImportTransactionsResponse;
  added: TransactionRecord[];
  notes: string[];
}

/**
 * Decides each transaction in turn (behaviour 4.5): known ones are skipped and shown as they are stored; one outside
 * the open period is moved to its nearest day or, if `force_add_to_current_statement` is false, refuses the whole
 * request with `transaction_outside_open_statement_period`. Without a period, every day counts as inside.
 */
export function decideTransactions(
  request: ImportTransactionsRequest,
  stored: TransactionRecord[],
  period?: OpenStatementPeriod,
): TransactionDecision {
  const known = new Map<string, TransactionRecord>();
  if (request.check_previously_added) {
    for (const record of stored) {
      known.set(record.transaction_id, record);
    }
  }
  const decision: TransactionDecision = { response: { results: [] }, added: [], notes: [] };
  for (const [index, transaction] of request.transactions.entries()) {
    const before = known.get(transaction.transaction_id);
    if (before !== undefined) {
      const transaction_data = { ...transactionData(before), status: 'TRANSACTION_IMPORT_SUCCESS' as const };
      decision.response.results.push({ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data });
      continue;
    }
    const sent = transactionRecord(transaction);
    const moved = period && moveInside(sent, period);
    if (moved !== undefined) {
      if (!request.force_add_to_current_statement) {
        throw outsideOpenPeriod(sent, index, period as OpenStatementPeriod);
      }
      decision.notes.push(`Transaction ${sent.transaction_id}: ${moved.description}`);
    }
    const record = moved ?? sent;
    if (request.check_previously_added) {
      known.set(record.transaction_id, record);
    }
    decision.added.push(record);
    decision.response.results.push({
      status: 'TRANSACTION_ADDED_TO_ACCOUNT',
      // Returns the input itself: copying 1,000 transactions took longer than their validation.
      transaction_data: moved === undefined ? (sent as TransactionData) : transactionData(moved),
    });
  }
  return decision;
}

/** The transaction on the nearest day of the period; undefined if it is already inside. */
function moveInside(record: TransactionRecord, period: OpenStatementPeriod): TransactionRecord | undefined {
  const day = nearestDayInside(record.transaction_date, period);
  if (day === record.transaction_date) {
    return undefined;
  }
  const description =
    `The original date ${record.transaction_date} lies outside the open statement period ` +
    `(${period.from} to ${period.to}); the transaction was added on ${day}.`;
  return { ...record, transaction_date: day, original_transaction_date: record.transaction_date, description };
}

function outsideOpenPeriod(record: TransactionRecord, index: number, period: OpenStatementPeriod): DomainError {
  const detail =
    `Transaction ${record.transaction_id} of ${record.transaction_date} is not within the open statement period ` +
    `(${period.from} to ${period.to}).`;
  return new DomainError('transaction_outside_open_statement_period', detail, {
    attr: `transactions.${index}.transaction_date`,
    extra: {
      transaction_data: transactionData(record),
      error_detail: detail,
      status: 'TRANSACTION_IMPORT_ERROR',
    },
  });
}
