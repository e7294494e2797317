import type { ErrorCode, FieldCode, Note, Statement, Transaction } from '@causeway/contracts';

/** One account of the book as the supplier holds it, with what is expected to become of it. */
export interface SampleAccount {
  externalAccountNumber: string;
  /** Valid, unless `expectedRefusal` names what is wrong with it. */
  payload: object;
  /** As in the payload: a decimal string, credit positive. */
  transferBalance: string;
  /** The service team marks the account to be skipped, for this reason, once it is staged. */
  skipReason?: string;
  notes: Note[];
  transactions: Transaction[];
  statements: Statement[];
  paymentInstruction?: { vendor: string; reference: string; type: string };
  /** The code the account is refused with; absent where it is imported. */
  expectedRefusal?: ErrorCode | FieldCode;
  /** The code its payment instruction is refused with; absent where it is stored. */
  expectedInstructionRefusal?: ErrorCode;
  /** Whether its payload carries its history; otherwise that follows in calls of its own. */
  isCarried: boolean;
}

export interface BookOptions {
  seed: string;
  importSupplier: string;
  accounts: number;
  /**
   * The day the book is written on, YYYY-MM-DD: every date in it is relative to this one, none depends on the clock.
   */
  bookDate: string;
  /** Without faults and without accounts that carry their history: what any import supplier takes. */
  isPlain?: boolean;
}
