import { fragment } from '@causeway/db';

/** The columns of a new transaction, and the shape in which `json_to_recordset` reads them. */
export const TRANSACTION_COLUMNS = fragment`
      transaction_id, transaction_date, original_transaction_date, amount, type, reason, display_note, note, reference,
      payment_type, product_code, supply_point_identifier, line_items, tax_items, description`;
export const TRANSACTION_RECORD = fragment`
      (transaction_id text, transaction_date date, original_transaction_date date, amount numeric, type text,
        reason text, display_note text, note text, reference text, payment_type text, product_code text,
        supply_point_identifier text, line_items jsonb, tax_items jsonb, description text)`;
