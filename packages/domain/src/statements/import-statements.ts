import type { ImportStatementsRequest, ImportStatementsResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { CLAIM_REVISION, FIND_ACCOUNT, importIntoAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { decideStatements, type StatementRecord } from './decide-statements.ts';

const STATEMENT_COLUMNS =
  'statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount, statement_path';

const READ_STATEMENTS = statement(
  'read-statements',
  `SELECT account.revision, coalesce((
    SELECT json_agg(json_build_object('statement_id', statement_id, 'bill_period_from_date', bill_period_from_date,
      'bill_period_to_date', bill_period_to_date, 'issued_date', issued_date, 'number', number,
      'gross_amount', gross_amount::text, 'statement_path', statement_path))
    FROM statements WHERE account_import_id = $1 AND statement_id = ANY ($4::text[])
  ), '[]') AS statements
  FROM ${FIND_ACCOUNT}`,
);

const WRITE_STATEMENTS = statement(
  'write-statements',
  `WITH ${CLAIM_REVISION},
  added AS (
    INSERT INTO statements (account_import_id, ${STATEMENT_COLUMNS}, created_at)
    SELECT account_import_id, ${STATEMENT_COLUMNS}, $5
    FROM account, json_to_recordset($7::json) AS record (statement_id text, bill_period_from_date date,
      bill_period_to_date date, issued_date date, number text, gross_amount numeric, statement_path text)
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'statements_imported',
      jsonb_build_object('statements', json_array_length($7::json)) FROM account
  )
  SELECT FROM account`,
);

interface AccountWithStatements {
  revision: number;
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
  const { import_supplier, external_account_number, statements } = request;
  const ids = statements.map(({ statement_id }) => statement_id);
  return importIntoAccount(context, request, {
    async read(id) {
      const values = [id, import_supplier, external_account_number, ids];
      const [account] = await context.database.query<AccountWithStatements>(READ_STATEMENTS, values);
      return account;
    },
    async write(id, account) {
      const added = decideStatements(statements, account.statements);
      if (added.length === 0) {
        return request;
      }
      const values = [...auditValues(context, id), account.revision, JSON.stringify(added)];
      const claimed = await context.database.query(WRITE_STATEMENTS, values);
      return claimed.length === 1 ? request : undefined;
    },
  });
}
