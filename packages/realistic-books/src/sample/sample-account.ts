import type { ErrorCode, FieldCode, Note, Statement, Transaction } from '@causeway/contracts';
import type { ExpectedReadBack } from '../expected-read-back.ts';

/** One account of the book as the supplier holds it, with what is expected to become of it. */
export interface SampleAccount {
  externalAccountNumber: string;
  /** Valid, unless `expectedRefusal` names what is wrong with it. */
  payload: object;
  /** As in the payload: a decimal string, credit positive. */
  transferBalance: string;
  teamName: string;
  /** The service team marks the account to be skipped, for this reason, once it is staged. */
  skipReason?: string;
  notes: Note[];
  transactions: Transaction[];
  /** False where the service must not move dates: it then refuses the transactions, since one is outside. */
  mayMoveTransactions: boolean;
  statements: Statement[];
  paymentInstruction?: { vendor: string; reference: string; type: string };
  /** The code the account is refused with; absent where it is imported. */
  expectedRefusal?: ErrorCode | FieldCode;
  /** The code its payment instruction is refused with; absent where it is stored. */
  expectedInstructionRefusal?: ErrorCode;
  /** What is read back of an account that carries its history; absent where its history follows in calls of its own. */
  expected?: ExpectedReadBack;
}

export interface BookOptions {
  seed: string;
  importSupplier: string;
  teamName: string;
  accounts: number;
  /**
   * The day the book is written on, YYYY-MM-DD: every date in it is relative to this one, none depends on the clock.
   */
  bookDate: string;
  /** Without faults and without accounts that carry their history: what any import supplier takes. */
  isPlain?: boolean;
}
