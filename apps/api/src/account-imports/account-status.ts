import { AccountStatusRequest, AccountStatusResponse } from '@causeway/contracts';
import { accountStatus as status } from '@causeway/domain';
import { supplierProcedure } from '../trpc.ts';

/** Specification 4.8. */
export const accountStatus = supplierProcedure(AccountStatusRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
      operationId: 'accountStatus',
      tags: ['Status'],
      summary: 'Account import status',
      description:
        'How far the import of one account has come. `IN_PROGRESS` while a call is creating the account; an account ' +
        'that is staged only, or whose last attempt failed, is `UNKNOWN`.',
      successDescription: 'The status of the import process.',
    },
    errors: ['import_supplier_does_not_exist', 'account_not_found'],
    notFound: ['import_supplier_does_not_exist', 'account_not_found'],
  })
  .output(AccountStatusResponse)
  .query(({ ctx, input }) => status(ctx, input));
