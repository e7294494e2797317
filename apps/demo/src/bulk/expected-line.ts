import type { SampleAccount } from '@causeway/realistic-books';
import { penceOf, sumOf } from '@causeway/realistic-books';

/** What is expected of one line of the upload: little enough to keep it of a large book. */
export interface ExpectedLine {
  externalAccountNumber: string;
  /** Whether its payload carries its history. */
  isCarried: boolean;
  /** The code it is refused with; undefined if it is moved. */
  refusal: string | undefined;
  notes: number;
  transactions: number;
  statements: number;
  /** In pence, as all money here: the transactions by type, the statements, the balance that is carried over. */
  byType: ReadonlyMap<string, number>;
  gross: number;
  balance: number;
}

export function expectedLineOf(account: SampleAccount): ExpectedLine {
  const { externalAccountNumber, notes, transactions, statements, transferBalance, expected } = account;
  const byType = new Map<string, number>();
  for (const { type, amount } of transactions) {
    byType.set(type, (byType.get(type) ?? 0) + penceOf(String(amount)));
  }
  return {
    externalAccountNumber,
    isCarried: expected !== undefined,
    refusal: expectedRefusalOf(account),
    notes: notes.length,
    transactions: transactions.length,
    statements: statements.length,
    byType,
    gross: sumOf(statements.flatMap(({ gross_amount: gross }) => (gross === undefined ? [] : penceOf(String(gross))))),
    balance: penceOf(transferBalance),
  };
}

/** A whole account is refused with its instruction, and one job has one team. */
function expectedRefusalOf({ expectedRefusal, expectedInstructionRefusal }: SampleAccount): string | undefined {
  const ofAccount = expectedRefusal === 'operations_team_name_does_not_exist' ? undefined : expectedRefusal;
  const isRejected = expectedInstructionRefusal === 'payment_vendor_rejected';
  return ofAccount ?? (isRejected ? expectedInstructionRefusal : undefined);
}
