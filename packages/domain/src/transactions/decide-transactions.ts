import {
  differingFields,
  type ImportTransactionsRequest,
  type ImportTransactionsResponse,
  moneyText,
  type Transaction,
  type TransactionData,
  type TransactionResult,
} from '@causeway/contracts';
import { fragment } from '@causeway/db';
import { DomainError } from '../shared/errors.ts';

/** A transaction as it is stored: exact decimal strings, and both dates if the date was moved. */
export interface TransactionRecord {
  transaction_id: string;
  transaction_date: string;
  original_transaction_date?: string | null | undefined;
  amount: string;
  type: Transaction['type'];
  reason?: string | null | undefined;
  display_note?: string | null | undefined;
  note?: string | null | undefined;
  reference?: string | null | undefined;
  payment_type?: string | null | undefined;
  product_code?: string | null | undefined;
  supply_point_identifier?: string | null | undefined;
  reverses?: string | null | undefined;
  to_prepay_meter_serial_number?: string | null | undefined;
  line_items?: unknown;
  tax_items?: unknown;
  description?: string | null | undefined;
}

/** The record of a transaction that was sent. */
export function transactionRecord(transaction: Transaction): TransactionRecord {
  return { ...transaction, amount: moneyText(transaction.amount) };
}

/** The transaction as responses show it (behaviour 2.5): fields that were not sent are absent. */
export function transactionData(record: TransactionRecord): TransactionData {
  const { original_transaction_date: _moved, ...shown } = record;
  return Object.fromEntries(
    Object.entries(shown).filter(([, value]) => value !== null && value !== undefined),
  ) as TransactionData;
}

/**
 * The fields, by name, in which a transaction that was sent again differs from the stored one: what was moved does not.
 */
export function transactionDifferences(sent: TransactionRecord, stored: TransactionRecord): string[] {
  const { original_transaction_date, description: _moved, ...values } = stored;
  return differingFields(values, sent).filter(
    (name) => name !== 'transaction_date' || sent.transaction_date !== (original_transaction_date ?? values[name]),
  );
}

/** The columns of a new transaction, and the shape in which `json_to_recordset` reads them. */
export const TRANSACTION_COLUMNS = fragment`
      transaction_id, transaction_date, original_transaction_date, amount, type, reason, display_note, note, reference,
      payment_type, product_code, supply_point_identifier, reverses, to_prepay_meter_serial_number, line_items, tax_items,
      description`;
export const TRANSACTION_RECORD = fragment`
      (transaction_id text, transaction_date date, original_transaction_date date, amount numeric, type text,
        reason text, display_note text, note text, reference text, payment_type text, product_code text,
        supply_point_identifier text, reverses text, to_prepay_meter_serial_number text, line_items jsonb,
        tax_items jsonb, description text)`;

/** What is asked for, whatever account it is about. */
export type AskedTransactions = Pick<
  ImportTransactionsRequest,
  'transactions' | 'check_previously_added' | 'force_add_to_current_statement'
>;

/**
 * The decision on an import of transactions: the answer, the rows to write, and the note for the support team, if any.
 */
export interface TransactionDecision {
  response: ImportTransactionsResponse;
  added: TransactionRecord[];
  notes: string[];
}

/**
 * Decides each transaction in turn (behaviour 4.5): known ones are skipped and shown as they are stored, with what
 * differs; one outside
 * the open period is moved to its nearest day or, if `force_add_to_current_statement` is false, refuses the whole
 * request with `transaction_outside_open_statement_period`. Without a period, every day counts as inside.
 */
export function decideTransactions(
  request: AskedTransactions,
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
  const allMoved: TransactionRecord[] = [];
  for (const [index, transaction] of request.transactions.entries()) {
    const before = known.get(transaction.transaction_id);
    if (before !== undefined) {
      decision.response.results.push(existing(transaction, before));
      continue;
    }
    const sent = transactionRecord(transaction);
    const moved = period && moveInside(sent, period);
    if (moved !== undefined) {
      if (!request.force_add_to_current_statement) {
        throw outsideOpenPeriod(sent, index, period as OpenStatementPeriod);
      }
      allMoved.push(moved);
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
  if (allMoved.length > 0) decision.notes.push(noteOnMoved(allMoved, period as OpenStatementPeriod));
  return decision;
}

/** A transaction that is known before: as it is stored, and what of it was sent with another value now. */
function existing(transaction: Transaction, before: TransactionRecord): TransactionResult {
  const differences = transactionDifferences(transactionRecord(transaction), before);
  return {
    status: 'TRANSACTION_ALREADY_EXISTS',
    transaction_data: { ...transactionData(before), status: 'TRANSACTION_IMPORT_SUCCESS' },
    ...(differences.length > 0 && { differences }),
  };
}

/** Moved transactions that the note for the support team names. */
const NAMED = 50;

/** One note a request: ten thousand of them would bury all others. */
function noteOnMoved(moved: TransactionRecord[], { from, to }: OpenStatementPeriod): string {
  const count = moved.length === 1 ? '1 transaction was' : `${moved.length} transactions were`;
  const named = moved
    .slice(0, NAMED)
    .map(({ transaction_id, original_transaction_date: sent, transaction_date: day }) => {
      return `Transaction ${transaction_id}: sent with ${sent}, added on ${day}.`;
    });
  const others = moved.length > NAMED ? [`And ${moved.length - NAMED} more.`] : [];
  return [`${count} moved into the open statement period (${from} to ${to}):`, ...named, ...others].join('\n');
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

/** The first and last day, both inclusive, on which a transaction can be dated. */
export interface OpenStatementPeriod {
  from: string;
  to: string;
}

/**
 * From the day set when the account was created (the day after it was last billed, or the day of its creation) up to
 * and including today. Today is always inside, even right after a bill.
 */
export function openStatementPeriod(openStatementFrom: string, today: string): OpenStatementPeriod {
  return { from: openStatementFrom > today ? today : openStatementFrom, to: today };
}

/** The day of the period nearest to `day`. */
export function nearestDayInside(day: string, period: OpenStatementPeriod): string {
  if (day < period.from) {
    return period.from;
  }
  return day > period.to ? period.to : day;
}
