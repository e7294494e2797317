import type { SampleAccount } from './sample-account.ts';

/**
 * The account as a line of a book (behaviour 21.1), with its history beside it unless the payload carries it. What the
 * vendor cannot be reached about would be tried again and again: that one is left out.
 */
export function sampleLine(account: SampleAccount): object {
  const { payload, notes, transactions, statements, isCarried } = account;
  if (isCarried) return { account: payload };
  const instruction = isReachable(account) ? account.paymentInstruction : undefined;
  return {
    account: payload,
    notes,
    transactions,
    statements,
    ...(instruction && { payment_instruction: instruction }),
    control: { transactions: transactions.length, statements: statements.length },
  };
}

function isReachable({ expectedInstructionRefusal }: SampleAccount): boolean {
  return expectedInstructionRefusal !== 'payment_vendor_unavailable';
}
