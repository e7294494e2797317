import { type FieldError, ImportTransactionsRequest, ImportTransactionsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { faultsOfIdentifiers, TRANSACTIONS_CHECKS, transactionIdsIn } from '@causeway/rules';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.5. */
export const importTransactions = supplierProcedure(ImportTransactionsRequest, {
  ...TRANSACTIONS_CHECKS,
  names: (_, input) => faultsOfIdentifiers(transactionIdsIn(input)),
  failureExtra: firstFailingTransaction,
})
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/transactions/create/',
      tags: ['Account data'],
      summary: 'Import financial transactions',
      description:
        'Adds transactions to an imported account, all or none. A transaction whose `transaction_id` the account already has ' +
        'is skipped and shown as it is stored. So sending the same request again is harmless, unless ' +
        '`check_previously_added` is false: then everything is added again.\n\nThe open statement period runs from the ' +
        'day after `last_billed_to_date` of the account payload, or from the day the account was created, to today.',
      successDescription: 'For each transaction, in order, whether it was added or already existed.',
    },
    queryParameters: ['check_previously_added', 'force_add_to_current_statement'],
    successStatus: 201,
    operation: 'transactions',
    errors: [
      'import_supplier_does_not_exist',
      'dry_run_rolled_back',
      'account_erased',
      'account_not_found',
      'transaction_outside_open_statement_period',
    ],
  })
  .output(answers(ImportTransactionsResponse))
  .mutation(({ ctx, input }) => domain.importTransactions(ctx, input));

/**
 * The body of behaviour 4.5 if a transaction is at fault: the first one, as it was sent, and the reason.
 */
function firstFailingTransaction(input: unknown, errors: FieldError[]): Record<string, unknown> {
  const failing = errors.flatMap(({ attr, detail }) => {
    const [list, index] = attr.split('.');
    return list === 'transactions' && index !== undefined ? [{ index: Number(index), detail }] : [];
  });
  const [first] = failing.sort((one, other) => one.index - other.index);
  if (first === undefined) {
    return {};
  }
  const { transactions } = Object(input) as { transactions?: unknown };
  // A key that contains dots looks like a path.
  if (!Array.isArray(transactions) || !(first.index in transactions)) {
    return {};
  }
  return {
    transaction_data: transactions[first.index],
    error_detail: first.detail,
    status: 'TRANSACTION_IMPORT_ERROR',
  };
}
