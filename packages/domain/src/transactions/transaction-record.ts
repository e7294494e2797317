import { differingFields, moneyText, type Transaction, type TransactionData } from '@causeway/contracts';
import { fragment } from '@causeway/db';

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
      payment_type, product_code, supply_point_identifier, line_items, tax_items, description`;
export const TRANSACTION_RECORD = fragment`
      (transaction_id text, transaction_date date, original_transaction_date date, amount numeric, type text,
        reason text, display_note text, note text, reference text, payment_type text, product_code text,
        supply_point_identifier text, line_items jsonb, tax_items jsonb, description text)`;
