import type { ImportStatementsRequest, ImportStatementsResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { claimAccount, FIND_ACCOUNT, importIntoAccount, type SeenAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { decideStatements, type StatementRecord } from './decide-statements.ts';

const STATEMENT_COLUMNS =
  'statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount, statement_path';
const STATEMENT_RECORD =
  'record (statement_id text, bill_period_from_date date, bill_period_to_date date, issued_date date, number text, ' +
  'gross_amount numeric, statement_path text)';

const IMPORT_STATEMENTS = statement(
  'import-statements',
  `WITH ${FIND_ACCOUNT},
  record AS MATERIALIZED (SELECT * FROM json_to_recordset($9::json) AS ${STATEMENT_RECORD}),
  stored AS MATERIALIZED (
    SELECT ${STATEMENT_COLUMNS} FROM statements
    WHERE account_import_id = $1 AND statement_id IN (SELECT statement_id FROM record)
  ),
  ${claimAccount('NOT EXISTS (SELECT FROM stored)')},
  added AS (
    INSERT INTO statements (account_import_id, ${STATEMENT_COLUMNS}, created_at)
    SELECT $1, ${STATEMENT_COLUMNS}, $5 FROM claimed, record
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'statements_imported',
      jsonb_build_object('statements', json_array_length($9::json)) FROM claimed
  )
  SELECT revision, EXISTS (SELECT FROM claimed) AS written, (
    SELECT coalesce(json_agg(json_build_object('statement_id', statement_id, 'issued_date', issued_date,
      'bill_period_from_date', bill_period_from_date, 'bill_period_to_date', bill_period_to_date, 'number', number,
      'gross_amount', gross_amount::text, 'statement_path', statement_path)), '[]') FROM stored
  ) AS statements
  FROM found`,
);

interface AccountWithStatements extends SeenAccount {
  statements: StatementRecord[];
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
    statement: IMPORT_STATEMENTS,
    decide(account?: AccountWithStatements) {
      const added = decideStatements(request.statements, account?.statements ?? []);
      return { result: request, unchanged: added.length === 0, values: [JSON.stringify(added)] };
    },
  });
}
