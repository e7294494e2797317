import type { LineRefusal } from '@causeway/book';
import type { ImportOperation } from '@causeway/contracts';

/** What of an account counts for the sums of a job. */
export interface AccountFigures {
  transfer_balance: string | null;
  account_type: string | null;
  customers: number;
  supply_points: number;
}

/** What a line has added, for the sums. Amounts are decimal, in the major unit. */
export interface Added {
  account?: AccountFigures;
  transactions?: readonly { type: string; amount: string | number }[];
  statements?: readonly { gross_amount?: string | number | null | undefined }[];
  notes?: number;
}

/** How many items of a step were new, and how many the account had. */
export type StepCounts = Partial<Record<ImportOperation, { added: number; existing: number }>>;

/** What became of a line. */
export interface LineOutcome {
  outcome: 'created' | 'updated' | 'unchanged' | 'refused' | 'failed';
  service_account_number?: string;
  steps?: StepCounts;
  /** Of one that was refused or failed. */
  refusal?: LineRefusal;
  added?: Added;
  /** What the account had already has other values than were sent. */
  differs?: boolean;
}

export function refused(refusal: LineRefusal): LineOutcome {
  return { outcome: 'refused', refusal };
}

/** How many lines of a chunk have which outcome; none may be absent. They add up to its `cursor`. */
export type CountsJson = Partial<Record<LineOutcome['outcome'], number>>;

export function count(before: CountsJson, outcomes: readonly LineOutcome[]): CountsJson {
  const counts = { ...before };
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
