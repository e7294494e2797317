import type { AccountPaymentInstruction } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { askInTurn } from '../payment-vendors/ask-in-turn.ts';
import { configuredVendor } from '../payment-vendors/configured-vendor.ts';
import { type PaymentInstructionDetails, VendorRejected } from '../payment-vendors/payment-vendor.ts';

/**
 * The details that the vendor of an account's payment instruction returns (behaviour 4.7); `path` is where the payload
 * has it. No transaction is open while the vendor is asked. Refuses as the separate import does.
 */
export async function confirmInstruction(
  context: Context,
  { vendor, reference, type }: AccountPaymentInstruction,
  path: string,
): Promise<PaymentInstructionDetails> {
  const paymentVendor = configuredVendor(context, vendor, `${path}.vendor`);
  const ask = (outside: Context) =>
    askInTurn(outside, paymentVendor, () => paymentVendor.fetchInstruction(reference, type));
  try {
    const { outsideTransaction = (_key, work) => work(context) } = context;
    return await outsideTransaction(JSON.stringify([vendor, reference, type]), ask);
  } catch (error) {
    if (!(error instanceof VendorRejected)) throw error;
    throw error.at(path);
  }
}
