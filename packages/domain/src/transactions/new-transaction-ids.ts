import { ChargeTransaction, type FieldError, itemsOf, LIMITS } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STORED_TRANSACTION_IDS } from './new-transaction-ids.sql.ts';

/** The faults of the ids of transactions that would be added: known ones are skipped, if the request asks for it. */
export function newTransactionIds(context: Context, request: unknown): Promise<FieldError[]> {
  const { transactions, check_previously_added } = Object(request);
  return faultsOfNewIdentifiers(context, request, {
    identifiers: itemsOf(transactions, LIMITS.transactions).map(({ transaction_id }, index) => ({
      attr: `transactions.${index}.transaction_id`,
      value: transaction_id,
    })),
    schema: ChargeTransaction.shape.transaction_id,
    known: check_previously_added === false ? undefined : STORED_TRANSACTION_IDS,
  });
}
