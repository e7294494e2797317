import { ReadPaymentInstructionRequest, StoredPaymentInstruction } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.16. */
export const getPaymentInstruction = supplierProcedure(ReadPaymentInstructionRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/accounts/{import_supplier_code}/{external_account_number}/payment-instruction/',
      operationId: 'getPaymentInstruction',
      tags: ['Reading back'],
      summary: 'Read payment instruction',
      description:
        'The active payment instruction of an account, with the details that its vendor returned. If the account has several, name one with `type`.',
      successDescription: 'The payment instruction.',
    },
    errors: [
      'import_supplier_does_not_exist',
      'account_not_found',
      'payment_instruction_not_found',
      'request_failed_validation',
    ],
    notFound: ['import_supplier_does_not_exist', 'account_not_found', 'payment_instruction_not_found'],
  })
  .output(answers(StoredPaymentInstruction))
  .query(({ ctx, input }) => domain.getPaymentInstruction(ctx, input));
