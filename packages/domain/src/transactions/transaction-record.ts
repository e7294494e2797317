import type { Transaction, TransactionData } from '@causeway/contracts';

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
  line_items?: unknown;
  tax_items?: unknown;
  description?: string | null | undefined;
}

/** The record of a transaction that was sent; two decimals are exact, since the schema allows no more. */
export function transactionRecord(transaction: Transaction): TransactionRecord {
  return { ...transaction, amount: transaction.amount.toFixed(2) };
}

/** The transaction as responses show it (behaviour 2.5): fields that were not sent are absent. */
export function transactionData(record: TransactionRecord): TransactionData {
  const { original_transaction_date: _moved, ...shown } = record;
  return Object.fromEntries(
    Object.entries(shown).filter(([, value]) => value !== null && value !== undefined),
  ) as TransactionData;
}
