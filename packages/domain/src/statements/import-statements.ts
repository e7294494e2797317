import type { ImportStatementsRequest, ImportStatementsResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { accountCalls, importIntoAccount, SEEN_ACCOUNT, type SeenAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, AUDIT_FIELDS } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { decideStatements, type StatementRecord } from './decide-statements.ts';

const STATEMENT_COLUMNS =
  'statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount, statement_path';
const STATEMENT_RECORD =
  'record (statement_id text, bill_period_from_date date, bill_period_to_date date, issued_date date, number text, ' +
  'gross_amount numeric, statement_path text)';

const importStatementsTogether = groupedStatement<AccountWithStatements>(
  statement(
    'import-statements',
    `WITH ${accountCalls({
      values: 'statement_ids text[], records json, count integer',
      stored: `SELECT json_agg(json_build_object('statement_id', statement_id, 'issued_date', issued_date,
        'bill_period_from_date', bill_period_from_date, 'bill_period_to_date', bill_period_to_date, 'number', number,
        'gross_amount', gross_amount::text, 'statement_path', statement_path))
      FROM statements WHERE account_import_id = input.id AND statement_id = ANY (input.statement_ids)`,
      clear: 'found.stored IS NULL',
    })},
  added AS (
    INSERT INTO statements (account_import_id, ${STATEMENT_COLUMNS}, created_at)
    SELECT id, ${STATEMENT_COLUMNS}, at FROM claimed, json_to_recordset(coalesce(records, $3::json)) AS ${STATEMENT_RECORD}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_FIELDS}, 'account_import', 'statements_imported', jsonb_build_object('statements', count)
    FROM claimed
  )
  SELECT ${SEEN_ACCOUNT}, stored FROM found`,
  ),
);

interface AccountWithStatements extends SeenAccount {
  stored: StatementRecord[] | null;
}

/**
 * Stores the historical statements of an account, all or none, and answers with the validated request (specification
 * 4.6). The same statement again changes nothing; the same statement_id with other values is refused with
 * `historical_statement_already_exists`. Refuses also with `import_supplier_does_not_exist` and `account_not_found`.
 */
export function importStatements(
  context: Context,
  request: ImportStatementsRequest,
): Promise<ImportStatementsResponse> {
  return importIntoAccount(context, request, {
    write: importStatementsTogether,
    decide(account?: AccountWithStatements) {
      const added = decideStatements(request.statements, account?.stored ?? []);
      const statement_ids = added.map(({ statement_id }) => statement_id);
      const values = { statement_ids, records: added, count: added.length };
      return { result: request, unchanged: added.length === 0, values };
    },
  });
}
