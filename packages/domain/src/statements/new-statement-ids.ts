import type { FieldError } from '@causeway/contracts';
import { statementIdsIn } from '@causeway/rules';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STORED_STATEMENT_IDS } from './new-statement-ids.sql.ts';

/** The faults of the ids of statements that the account does not have yet. */
export function newStatementIds(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, { ...statementIdsIn(request), known: STORED_STATEMENT_IDS });
}
