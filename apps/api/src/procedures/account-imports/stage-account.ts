import { AccountPayload, StageAccountResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';
import { ACCOUNT_CHECKS } from './validate-account.ts';

/** Behaviour 4.2. */
export const stageAccount = supplierProcedure(AccountPayload, ACCOUNT_CHECKS)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/account-import-process/create-or-update/',
      tags: ['Accounts'],
      summary: 'Stage account',
      description:
        'Validates one account and stores its data without creating the account. It can be staged any number of ' +
        'times until it is created: the last staging counts. Sending the same request again is harmless.',
      successDescription: 'The account is staged for the first time.',
    },
    successStatus: 201,
    alternativeSuccess: { status: 200, description: 'The account was staged before; its data is replaced.' },
    operation: 'stage',
    errors: [
      'account_failed_validation',
      'import_supplier_does_not_exist',
      'import_supplier_migration_not_ongoing',
      'account_import_process_already_imported',
      'account_import_process_skipped',
    ],
  })
  .output(answers(StageAccountResponse))
  .mutation(async ({ ctx, input }) => {
    const { response, timesStaged } = await domain.stageAccount(ctx, input);
    if (timesStaged > 1) {
      ctx.response.status = 200;
    }
    return response;
  });
