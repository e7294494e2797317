import type { Payload, SentNote, SentStatement, SentTransaction } from './content.ts';

/** A note as it is stored. One that the service wrote has the moved transactions: identifier, day sent, day stored. */
export interface ModelNote extends SentNote {
  created_at: string;
  is_pinned: boolean;
  moved?: [string, string, string][];
}

/** A transaction as it is stored: moved, if it has the day that was sent. */
export interface ModelTransaction extends SentTransaction {
  original_transaction_date?: string;
  is_historical?: true;
}

/** The state of one account that a careful reader of docs/behaviour.md expects. */
export interface ModelAccount {
  state: 'STAGED' | 'FAILED' | 'SKIPPED' | 'COMPLETED';
  /** The last attempt to create it failed, whether it was skipped then or not. */
  failed: boolean;
  /** What was staged last. */
  payload: Payload;
  serviceAccountNumber?: string;
  /** The place among the accounts of the supplier that were completed. */
  completion?: number;
  /** The rows, in the order in which they were added. */
  notes: ModelNote[];
  transactions: ModelTransaction[];
  statements: SentStatement[];
  reference: string | null;
}

/** What is remembered of the latest refusal of an operation, or of a problem that its success reported. */
export interface Remembered {
  code: string;
  /** `transactions.1.amount balance_does_not_add_up`, sorted. */
  faults?: string[];
  /** The two sums of a balance, or the type of a payment instruction. */
  detail?: Readonly<Record<string, string>> | null;
  /** Since the operation last succeeded. */
  times?: number;
}

/** By operation. */
export type Open = Map<string, Remembered>;

/** One import supplier; accounts in the order of their first staging. */
export interface ModelSupplier {
  status: 'ONGOING' | 'PAUSED';
  /** Whether a balance that does not add up is refused; otherwise it is reported. */
  refusesBalance: boolean;
  accounts: Map<string, ModelAccount>;
  /** What is refused of each account number, and has not succeeded since. */
  refused: Map<string, Open>;
  /** What is reported of each account number. */
  reported: Map<string, Open>;
}

export const newSupplier = (refusesBalance: boolean): ModelSupplier => ({
  ...{ status: 'ONGOING', refusesBalance },
  ...{ accounts: new Map(), refused: new Map(), reported: new Map() },
});

/** A part of what is stored of an account, as it can be read. */
export type Part = 'account' | 'notes' | 'transactions' | 'statements' | 'payment-instruction';

interface On {
  /** Whose import supplier. */
  owner: 0 | 1;
  /** Who asks. */
  caller: 0 | 1;
  account: string;
}

/** A call that imports into an account. */
export type ImportCall = On & { dryRun: boolean } & (
    | { kind: 'notes'; sent: SentNote[] }
    | { kind: 'transactions'; sent: SentTransaction[]; checked: boolean; force: boolean }
    | { kind: 'statements'; sent: SentStatement[] }
    | { kind: 'instruction'; reference: string }
  );

/** One call of a random sequence. */
export type Call =
  | (On &
      (
        | { kind: 'validate'; payload: Payload }
        | { kind: 'stage'; payload: Payload }
        | { kind: 'status' }
        | { kind: 'skip' | 'unskip' | 'pause' | 'resume' }
        | { kind: 'process'; dryRun: boolean; knownTeam: boolean }
        | { kind: 'list'; of: 'all' | 'pending' | 'imported' }
        /** Page after page, if there is a limit. */
        | { kind: 'read'; of: Part; through: 'rest' | 'trpc' | 'staff'; limit: number | null }
      ))
  | ImportCall;

export type CallOf<Kind extends Call['kind']> = Extract<Call, { kind: Kind }>;

/** The answer that the model expects: its name, and the relevant part of its body. */
export interface Prediction {
  answer: string;
  shows?: unknown;
  /** What is remembered although the call succeeded. */
  reports?: Remembered;
}

export const OK: Prediction = { answer: '200' };
export const CREATED: Prediction = { answer: '201' };
export const refused = (code: string): Prediction => ({ answer: `400 ${code}` });
