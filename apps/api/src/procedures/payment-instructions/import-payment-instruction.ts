import { ImportPaymentInstructionRequest, ImportPaymentInstructionResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { faultsOfIdentifiers, PAYMENT_INSTRUCTION_CHECKS, referenceIn } from '@causeway/rules';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.7. */
export const importPaymentInstruction = supplierProcedure(ImportPaymentInstructionRequest, {
  ...PAYMENT_INSTRUCTION_CHECKS,
  names: (_, input) => faultsOfIdentifiers(referenceIn(input)),
})
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/payment-instruction/create/',
      tags: ['Account data'],
      summary: 'Import payment instruction',
      description:
        'Verifies the instruction with its vendor and stores it with the details that the vendor returns. After 500 ' +
        '`payment_vendor_unavailable` retry the same request; after 400 `payment_vendor_rejected` do not. The same ' +
        'instruction again gets the same answer. To replace the active instruction of a type, name its reference in ' +
        '`supersedes`.',
      successDescription: 'The payment instruction is stored.',
    },
    successStatus: 201,
    outsideTransaction: true,
    operation: 'payment_instruction',
    errors: [
      'import_supplier_does_not_exist',
      'dry_run_rolled_back',
      'account_erased',
      'account_not_found',
      'payment_instruction_already_active',
      'payment_instruction_superseded',
      'supersedes_no_active_instruction',
      'payment_vendor_rejected',
      'payment_vendor_unavailable',
    ],
  })
  .output(answers(ImportPaymentInstructionResponse))
  .mutation(({ ctx, input }) => domain.importPaymentInstruction(ctx, input));
