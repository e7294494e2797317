import { ReadAccountRequest, ReadPaymentInstructionsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.16. */
export const listPaymentInstructions = supplierProcedure(ReadAccountRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/accounts/{import_supplier_code}/{external_account_number}/payment-instructions/',
      operationId: 'listPaymentInstructions',
      tags: ['Reading back'],
      summary: 'Read payment instructions',
      description:
        'The payment instructions of an account, with the details that their vendors returned: one of each type is active, the others have `superseded_at`.',
      successDescription: 'The payment instructions.',
    },
    errors: ['import_supplier_does_not_exist', 'account_not_found'],
    notFound: ['import_supplier_does_not_exist', 'account_not_found'],
  })
  .output(answers(ReadPaymentInstructionsResponse))
  .query(({ ctx, input }) => domain.listPaymentInstructions(ctx, input));
