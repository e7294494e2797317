import { ChargeTransaction, type FieldError, LIMITS } from '@causeway/contracts';
import { statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers, sentItems } from '../new-identifiers.ts';

const ADDED_BEFORE = statement(
  'added-transaction-ids',
  `SELECT DISTINCT transaction_id AS identifier FROM transactions
  WHERE account_import_id = $1 AND transaction_id = ANY ($2)`,
);

/** What is wrong with the ids of transactions that would be added: those the account has are skipped, where it is asked. */
export function newTransactionIds(context: Context, request: unknown): Promise<FieldError[]> {
  const { transactions, check_previously_added } = Object(request);
  return faultsOfNewIdentifiers(context, request, {
    identifiers: sentItems(transactions, LIMITS.transactions).map(({ transaction_id }, index) => ({
      attr: `transactions.${index}.transaction_id`,
      value: transaction_id,
    })),
    schema: ChargeTransaction.shape.transaction_id,
    known: check_previously_added === false ? undefined : ADDED_BEFORE,
  });
}
