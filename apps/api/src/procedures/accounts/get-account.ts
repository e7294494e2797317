import { ReadAccountRequest, StoredAccount } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.16. */
export const getAccount = supplierProcedure(ReadAccountRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/accounts/{import_supplier_code}/{external_account_number}/',
      operationId: 'getAccount',
      tags: ['Reading back'],
      summary: 'Read account',
      description:
        'What is stored of one account, staged or created: its state, its data as it was sent, and what was added to it, ' +
        'counted and added up. Every decimal number is a string; nothing else differs from what validation answered.',
      successDescription: 'The account as it is stored.',
    },
    errors: ['import_supplier_does_not_exist', 'account_not_found'],
    notFound: ['import_supplier_does_not_exist', 'account_not_found'],
  })
  .output(answers(StoredAccount))
  .query(({ ctx, input }) => domain.getAccount(ctx, input));
