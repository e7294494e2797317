import type { ImportStatementsRequest, ImportStatementsResponse } from '@causeway/contracts';
import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { importIntoAccount } from '../imports/import.ts';
import { accountCalls, recordsOfCall, SEEN_ACCOUNT_COLUMNS, seenAccount } from '../imports/statement.sql.ts';
import { reportItems } from '../refusals/report-remarks.ts';
import { AUDITED_CALL } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { decideStatements, inMajorUnit, type StatementDecision, type StatementRecord } from './decide-statements.ts';

/** The columns of a new statement, and in the same order the shape in which `json_to_recordset` reads them. */
export const STATEMENT_COLUMNS = fragment`
      statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount, statement_path, status,
      replaces, due_date, net_amount, tax_amount, currency`;
export const STATEMENT_FIELDS = fragment`
        statement_id text, bill_period_from_date date, bill_period_to_date date, issued_date date, number text,
        gross_amount numeric, statement_path text, status text, replaces text, due_date date, net_amount numeric,
        tax_amount numeric, currency text`;
const STATEMENT_RECORD = fragment`(${STATEMENT_FIELDS}, is_filled boolean)`;

const STORED = fragment`
      SELECT json_agg(json_build_object(
        'statement_id', statement_id,
        'issued_date', issued_date,
        'bill_period_from_date', bill_period_from_date,
        'bill_period_to_date', bill_period_to_date,
        'number', number,
        'gross_amount', gross_amount::text,
        'statement_path', statement_path,
        'status', status,
        'replaces', replaces,
        'due_date', due_date,
        'net_amount', net_amount::text,
        'tax_amount', tax_amount::text,
        'currency', currency
      ))
      FROM statements
      WHERE account_import_id = input.id AND statement_id = ANY (input.statement_ids)`;

/** Adds the records of each call as statements, or their paths; `stored` are the account's with the same ids. */
const IMPORT_STATEMENTS = sql('import-statements', {
  ...SEEN_ACCOUNT_COLUMNS,
  stored: narrow<StatementRecord[] | null>('json | null'),
})`
  WITH ${accountCalls({
    operation: 'statements',
    values: fragment`statement_ids text[], first_record integer, last_record integer, count integer, filled integer`,
    stored: STORED,
    mayWriteUnseen: fragment`found.stored IS NULL`,
  })},
  added AS (
    INSERT INTO statements (account_import_id, ${STATEMENT_COLUMNS}, created_at)
    SELECT id, ${STATEMENT_COLUMNS}, at
    FROM claimed, LATERAL ${recordsOfCall(STATEMENT_RECORD)}
    WHERE is_filled IS NULL
  ),
  filled AS (
    UPDATE statements AS statement
    SET statement_path = record.statement_path
    FROM claimed, LATERAL ${recordsOfCall(STATEMENT_RECORD)}
    WHERE record.is_filled
      AND statement.account_import_id = claimed.id
      AND statement.statement_id = record.statement_id
      AND statement.statement_path IS NULL
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', 'statements_imported',
      jsonb_strip_nulls(jsonb_build_object('statements', count, 'filled', filled))
    FROM claimed
  )
  SELECT ${seenAccount('statements')}, stored
  FROM found`;

type AccountWithStatements = RowOf<typeof IMPORT_STATEMENTS>;

const importStatementsTogether = groupedStatement(IMPORT_STATEMENTS);

/**
 * Stores the historical statements of an account, all or none, and answers with the validated request (behaviour 4.6),
 * its amounts as they were sent. The same statement again changes nothing, but a path that was missing is stored; the same
 * statement_id with other values is refused with `historical_statement_already_exists`. Refuses also with `import_supplier_does_not_exist` and
 * `account_not_found`.
 */
export async function importStatements(
  context: Context,
  request: ImportStatementsRequest,
): Promise<ImportStatementsResponse> {
  const supplier = await findImportSupplier(context, request.import_supplier, 'import_supplier');
  const statements = inMajorUnit(request.statements, supplier);
  const { dry_run: _asked, ...answer } = request;
  return importIntoAccount(context, request, {
    operation: 'statements',
    write: importStatementsTogether,
    decide(account?: AccountWithStatements) {
      const { added, filled } = decideStatements(statements, account?.stored ?? []);
      const statement_ids = added.map(({ statement_id }) => statement_id);
      const records = [...added, ...filled.map((record) => ({ ...record, is_filled: true }))];
      const values = { statement_ids, records, count: added.length, filled: filled.length || null };
      return { result: markFilled(answer, filled), unchanged: records.length === 0, values };
    },
    report() {
      const items = statements.map(({ statement_id }) => ({ identifier: statement_id, isKnown: false }));
      return reportItems('statements', items, context.remarks);
    },
  });
}

function markFilled(answer: ImportStatementsResponse, filled: StatementDecision['filled']): ImportStatementsResponse {
  if (filled.length === 0) return answer;
  const ids = new Set(filled.map(({ statement_id }) => statement_id));
  const statements = answer.statements.map((statement) =>
    ids.has(statement.statement_id) ? { ...statement, filled: ['statement_path'] } : statement,
  );
  return { ...answer, statements };
}
