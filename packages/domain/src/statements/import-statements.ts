import type { ImportStatementsRequest, ImportStatementsResponse } from '@causeway/contracts';
import { importIntoAccount } from '../accounts/import-into-account.ts';
import type { Context } from '../context.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { decideStatements } from './decide-statements.ts';
import { type AccountWithStatements, IMPORT_STATEMENTS } from './import-statements.sql.ts';
import { inMajorUnit } from './major-unit.ts';

const importStatementsTogether = groupedStatement(IMPORT_STATEMENTS);

/**
 * Stores the historical statements of an account, all or none, and answers with the validated request (behaviour 4.6),
 * its amounts as they were sent. The same statement again changes nothing; the same statement_id with other values is
 * refused with `historical_statement_already_exists`. Refuses also with `import_supplier_does_not_exist` and
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
      const added = decideStatements(statements, account?.stored ?? []);
      const statement_ids = added.map(({ statement_id }) => statement_id);
      const values = { statement_ids, records: added, count: added.length };
      return { result: answer, unchanged: added.length === 0, values };
    },
  });
}
