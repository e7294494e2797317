import type { AccountPaymentInstruction, Sent } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { askInTurn } from '../payment-vendors/ask-in-turn.ts';
import { configuredVendor } from '../payment-vendors/configured-vendor.ts';
import { type PaymentInstructionDetails, VendorRejected } from '../payment-vendors/payment-vendor.ts';

/**
 * The details that the vendors of an account's payment instructions return (behaviour 4.7), one after the other: the
 * first that refuses ends it. No transaction is open while they are asked. Refuses as the separate import does.
 */
export async function confirmInstructions(
  context: Context,
  instructions: readonly Sent<AccountPaymentInstruction>[],
): Promise<PaymentInstructionDetails[]> {
  const { outsideTransaction = (_key, work) => work(context) } = context;
  return outsideTransaction(JSON.stringify(instructions), async (outside) => {
    const details: PaymentInstructionDetails[] = [];
    for (const instruction of instructions) details.push(await confirm(outside, instruction));
    return details;
  });
}

async function confirm(context: Context, { path, sent }: Sent<AccountPaymentInstruction>) {
  const { vendor, reference, type } = sent;
  const paymentVendor = configuredVendor(context, vendor, `${path}.vendor`);
  try {
    return await askInTurn(context, paymentVendor, () => paymentVendor.fetchInstruction(reference, type));
  } catch (error) {
    if (!(error instanceof VendorRejected)) throw error;
    throw error.at(path);
  }
}
