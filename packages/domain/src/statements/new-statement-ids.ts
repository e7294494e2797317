import { type FieldError, itemsOf, LIMITS, Statement } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STORED_STATEMENT_IDS } from './new-statement-ids.sql.ts';

/** The faults of the ids of statements that the account does not have yet. */
export function newStatementIds(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, {
    identifiers: itemsOf(Object(request).statements, LIMITS.statements).map(({ statement_id }, index) => ({
      attr: `statements.${index}.statement_id`,
      value: statement_id,
    })),
    schema: Statement.shape.statement_id,
    known: STORED_STATEMENT_IDS,
  });
}
