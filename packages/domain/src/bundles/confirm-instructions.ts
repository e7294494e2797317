import type { AccountPaymentInstruction, Sent } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { askInTurn } from '../payment-vendors/ask-in-turn.ts';
import { configuredVendor } from '../payment-vendors/configured-vendor.ts';
import { type PaymentInstructionDetails, VendorRejected } from '../payment-vendors/payment-vendor.ts';

/**
 * The details that the vendors of an account's payment instructions return (behaviour 4.7). They are asked at once, so that
 * it takes no longer than one answer may, and no transaction is open meanwhile. Refuses as the separate import does; if
 * several are refused, it is the first.
 */
export async function confirmInstructions(
  context: Context,
  instructions: readonly Sent<AccountPaymentInstruction>[],
): Promise<PaymentInstructionDetails[]> {
  const { outsideTransaction = (_key, work) => work(context) } = context;
  return outsideTransaction(JSON.stringify(instructions), async ({ waitOutside = (wait) => wait(), ...outside }) => {
    const answers = await waitOutside(() => Promise.allSettled(instructions.map((one) => confirm(outside, one))));
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
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
