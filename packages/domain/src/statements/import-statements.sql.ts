import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { accountCalls, recordsOfCall, SEEN_ACCOUNT_COLUMNS, seenAccount } from '../accounts/import-into-account.sql.ts';
import { AUDIT_COLUMNS, AUDIT_FIELDS } from '../audit/audit.sql.ts';
import type { StatementRecord } from './decide-statements.ts';
import { STATEMENT_COLUMNS, STATEMENT_RECORD } from './statement-record.sql.ts';

const STORED = fragment`
      SELECT json_agg(json_build_object(
        'statement_id', statement_id,
        'issued_date', issued_date,
        'bill_period_from_date', bill_period_from_date,
        'bill_period_to_date', bill_period_to_date,
        'number', number,
        'gross_amount', gross_amount::text,
        'statement_path', statement_path
      ))
      FROM statements
      WHERE account_import_id = input.id AND statement_id = ANY (input.statement_ids)`;

/** Adds the records of each call as statements; `stored` are the account's with the same ids. */
export const IMPORT_STATEMENTS = sql('import-statements', {
  ...SEEN_ACCOUNT_COLUMNS,
  stored: narrow<StatementRecord[] | null>('json | null'),
})`
  WITH ${accountCalls({
    operation: 'statements',
    values: fragment`statement_ids text[], first_record integer, last_record integer, count integer`,
    stored: STORED,
    mayWriteUnseen: fragment`found.stored IS NULL`,
  })},
  added AS (
    INSERT INTO statements (account_import_id, ${STATEMENT_COLUMNS}, created_at)
    SELECT id, ${STATEMENT_COLUMNS}, at
    FROM claimed, LATERAL ${recordsOfCall(STATEMENT_RECORD)}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_FIELDS}, 'account_import', 'statements_imported', jsonb_build_object('statements', count)
    FROM claimed
  )
  SELECT ${seenAccount('statements')}, stored
  FROM found`;

export type AccountWithStatements = RowOf<typeof IMPORT_STATEMENTS>;
