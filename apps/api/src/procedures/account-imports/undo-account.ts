import { UndoAccountRequest, UndoAccountResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 30.1. */
export const undoAccount = supplierProcedure(UndoAccountRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/account-import-process/undo/',
      tags: ['Accounts'],
      summary: 'Undo account',
      description:
        'Takes a created account back, with everything that was imported into it: all or nothing. It is possible for `undo_hours` ' +
        'after its creation, where `suppliers_may_undo` is set, until the platform uses the account. Afterwards the ' +
        'account can be staged and created again; its number is never used again. With `dry_run` everything is done and rolled ' +
        'back: 400 `dry_run_rolled_back` has the answer under `would_answer`.',
      successDescription: 'The account is undone.',
    },
    outlivesUndo: true,
    errors: [
      'import_supplier_does_not_exist',
      'account_not_found',
      'account_not_created',
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
  .output(answers(UndoAccountResponse))
  .mutation(({ ctx, input }) => domain.undoAccount(ctx, input));
