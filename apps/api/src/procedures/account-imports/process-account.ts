import { ProcessAccountRequest, ProcessAccountResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.3. */
export const processAccount = supplierProcedure(ProcessAccountRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/account-import-process/process/',
      tags: ['Accounts'],
      summary: 'Create account',
      description:
        'Creates the platform account from the staged data, once: sending the same request again is harmless. Of several ' +
        'concurrent requests, one creates it and the others answer `account_import_process_already_imported` with ' +
        'its number. With `dry_run` the whole creation is performed and rolled back: a request that would succeed answers 400 ' +
        '`dry_run_rolled_back`, any other answer is the one that the creation would get.',
      successDescription: 'The account is created.',
    },
    successStatus: 201,
    operation: 'process',
    errors: [
      'import_supplier_does_not_exist',
      'import_supplier_migration_not_ongoing',
      'import_process_does_not_exist',
      'account_import_process_skipped',
      'account_import_process_already_imported',
      'operations_team_name_does_not_exist',
      'concurrency_limit_exceeded',
      'dry_run_rolled_back',
      'payment_vendor_rejected',
      'payment_vendor_unavailable',
    ],
  })
  .output(answers(ProcessAccountResponse))
  .mutation(({ ctx, input }) => domain.processAccount(ctx, input));
