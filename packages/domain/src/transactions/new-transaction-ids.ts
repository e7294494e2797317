import type { FieldError } from '@causeway/contracts';
import { transactionIdsIn } from '@causeway/rules';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STORED_TRANSACTION_IDS } from './new-transaction-ids.sql.ts';

/** The faults of the ids of transactions that would be added: known ones are skipped, if the request asks for it. */
export function newTransactionIds(context: Context, request: unknown): Promise<FieldError[]> {
  const known = Object(request).check_previously_added === false ? undefined : STORED_TRANSACTION_IDS;
  return faultsOfNewIdentifiers(context, request, { ...transactionIdsIn(request), known });
}
