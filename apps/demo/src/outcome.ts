import type { SampleAccount } from '@causeway/realistic-books';

/** What the answers said of one kind of thing of an account. */
export interface KindOutcome {
  /** Those that are stored now, whether by this request or before. */
  stored: number;
  /** Of these, the ones this request added, where its answer tells. */
  added?: number;
  refused: number;
  /** The stable code they were refused with; absent where they were not sent. */
  refusal?: string;
}

/** What happened to one account of the book, as the service's answers told it. */
export interface Outcome {
  account: SampleAccount;
  fate: 'added' | 'existing' | 'refused' | 'unexpected';
  serviceAccountNumber?: string;
  /** The stable code the account was refused with. */
  refusal?: string;
  notes: KindOutcome;
  transactions: KindOutcome;
  /** Transactions whose date the service moved into the open period. */
  movedTransactions: number;
  statements: KindOutcome;
  paymentInstruction: KindOutcome;
  /** An answer that should not have been given, for people. */
  problem?: string;
}

/** The outcomes of what was never sent, since its account was refused. */
export function neverSent(account: SampleAccount): Pick<Outcome, ImportedKind> & { movedTransactions: number } {
  return {
    notes: { stored: 0, refused: account.notes.length },
    transactions: { stored: 0, refused: account.transactions.length },
    movedTransactions: 0,
    statements: { stored: 0, refused: account.statements.length },
    paymentInstruction: { stored: 0, refused: account.paymentInstruction ? 1 : 0 },
  };
}

/** The outcomes of what the account carried: it is created with the account, all or nothing. */
export function createdWith(account: SampleAccount, isNew: boolean): Pick<Outcome, ImportedKind> {
  const { notes, transactions, statements, paymentInstruction } = account;
  const all = (stored: number): KindOutcome => ({ stored, added: isNew ? stored : 0, refused: 0 });
  return {
    notes: all(notes.length),
    transactions: all(transactions.length),
    statements: all(statements.length),
    paymentInstruction: all(paymentInstruction ? 1 : 0),
  };
}

/** What is imported into an account after its creation, or with it. */
export type ImportedKind = 'notes' | 'transactions' | 'statements' | 'paymentInstruction';
