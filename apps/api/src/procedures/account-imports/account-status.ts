import { AccountStatusRequest, AccountStatusResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.8. */
export const accountStatus = supplierProcedure(AccountStatusRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
      tags: ['Status'],
      summary: 'Account import status',
      description:
        'The status of one account import: `COMPLETED` once the account exists, `IN_PROGRESS` while a ' +
        'request is creating it, otherwise `UNKNOWN`: it is only staged, its last attempt failed, or the service team ' +
        'marked it to be skipped. If nothing was ever staged, the answer is 404.',
      successDescription: 'The status of the import process.',
    },
    errors: ['import_supplier_does_not_exist', 'account_not_found'],
    notFound: ['import_supplier_does_not_exist', 'account_not_found'],
  })
  .output(answers(AccountStatusResponse))
  .query(({ ctx, input }) => domain.accountStatus(ctx, input));
