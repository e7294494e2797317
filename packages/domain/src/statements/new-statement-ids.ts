import { type FieldError, LIMITS, Statement } from '@causeway/contracts';
import { statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers, sentItems } from '../new-identifiers.ts';

const STORED_BEFORE = statement(
  'stored-statement-ids',
  `SELECT statement_id AS identifier FROM statements WHERE account_import_id = $1 AND statement_id = ANY ($2)`,
);

/** What is wrong with the ids of statements that the account does not have yet. */
export function newStatementIds(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, {
    identifiers: sentItems(Object(request).statements, LIMITS.statements).map(({ statement_id }, index) => ({
      attr: `statements.${index}.statement_id`,
      value: statement_id,
    })),
    schema: Statement.shape.statement_id,
    known: STORED_BEFORE,
  });
}
