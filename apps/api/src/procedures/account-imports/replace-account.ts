import { ReplaceAccountRequest, ReplaceAccountResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';
import { ACCOUNT_CHECKS } from './validate-account.ts';

/** Behaviour 30.6. */
export const replaceAccount = supplierProcedure(ReplaceAccountRequest, ACCOUNT_CHECKS)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/account-import-process/replace/',
      tags: ['Accounts'],
      summary: 'Replace account',
      description:
        'Corrects an account that was created with wrong data: it is undone, and created again from this request with its ' +
        'whole history, in one step. If anything is refused, the account stays as it is. Who may, and when, is as for ' +
        '“Undo account”. What was imported beside the account and is not in the request is gone afterwards. With `dry_run` ' +
        'everything is done and rolled back.',
      successDescription: 'The account is replaced.',
    },
    outlivesUndo: true,
    errors: [
      'account_failed_validation',
      'import_supplier_does_not_exist',
      'import_supplier_migration_not_ongoing',
      'operations_team_name_does_not_exist',
      'concurrency_limit_exceeded',
      'payment_vendor_rejected',
      'payment_vendor_unavailable',
      'account_not_found',
      'account_not_created',
      'account_number_differs',
      'undo_not_allowed',
      'account_erased',
      'account_adopted',
      'migration_complete',
      'account_signed_off',
      'undo_time_over',
      'account_in_progress',
      'dry_run_rolled_back',
    ],
    notFound: ['account_not_found'],
  })
  .output(answers(ReplaceAccountResponse))
  .mutation(({ ctx, input }) => domain.replaceAccount(ctx, input));
