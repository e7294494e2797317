import { fragment } from '@causeway/db';

/** The columns of a new statement, and the shape in which `json_to_recordset` reads them. */
export const STATEMENT_COLUMNS = fragment`
      statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount, statement_path`;
export const STATEMENT_RECORD = fragment`
      (statement_id text, bill_period_from_date date, bill_period_to_date date, issued_date date, number text,
        gross_amount numeric, statement_path text)`;
