import type { ImportStatementsRequest, ImportStatementsResponse } from '@causeway/contracts';
import { importIntoAccount } from '../accounts/import-into-account.ts';
import type { Context } from '../context.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { decideStatements } from './decide-statements.ts';
import { type AccountWithStatements, IMPORT_STATEMENTS } from './import-statements.sql.ts';

const importStatementsTogether = groupedStatement(IMPORT_STATEMENTS);

/**
 * Stores the historical statements of an account, all or none, and answers with the validated request
 * (behaviour 4.6). The same statement again changes nothing; the same statement_id with other values is refused with
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
