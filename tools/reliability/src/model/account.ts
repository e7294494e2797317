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
  state: 'STAGED' | 'FAILED' | 'SKIPPED' | 'COMPLETED' | 'UNDONE';
  /** The last attempt to create it failed, whether it was skipped then or not. */
  failed: boolean;
  /** What was staged last; none after an undo that left nothing to create it from again. */
  payload: Payload | null;
  /** Something was added after its creation, which the payload does not have. */
  hasMore: boolean;
  serviceAccountNumber?: string;
  /** The rows, in the order in which they were added. */
  notes: ModelNote[];
  transactions: ModelTransaction[];
  statements: SentStatement[];
  reference: string | null;
}

/** One import supplier; accounts in the order of their first staging. */
export interface ModelSupplier {
  status: 'ONGOING' | 'PAUSED';
  accounts: Map<string, ModelAccount>;
}

export const newSupplier = (): ModelSupplier => ({ status: 'ONGOING', accounts: new Map() });

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
        | { kind: 'stage'; payload: Payload }
        | { kind: 'skip' | 'unskip' | 'pause' | 'resume' }
        | { kind: 'process'; dryRun: boolean; knownTeam: boolean }
        | { kind: 'undo'; dryRun: boolean }
      ))
  | ImportCall;

export type CallOf<Kind extends Call['kind']> = Extract<Call, { kind: Kind }>;

/** A call of the service team, who may do everything. */
export type StaffCall = CallOf<'skip' | 'unskip' | 'pause' | 'resume' | 'undo'>;

export const isStaffs = (call: Call): call is StaffCall =>
  ['skip', 'unskip', 'pause', 'resume', 'undo'].includes(call.kind);

/** The answer that the model expects: its name, and the relevant part of its body. */
export interface Prediction {
  answer: string;
  shows?: unknown;
}

export const OK: Prediction = { answer: '200' };
export const CREATED: Prediction = { answer: '201' };
export const refused = (code: string): Prediction => ({ answer: `400 ${code}` });
