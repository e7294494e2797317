import type { ImportOperation, LineOutcome, StepResult } from '@causeway/contracts';
import type { Money } from './money.ts';
import type { Refusal } from './refused.ts';

/** What is the same for all lines. */
export interface MoveOptions {
  supplier: string;
  team: string;
  isDryRun: boolean;
  /** An account that exists with other data is replaced. */
  replaces: boolean;
  /** False: every transaction is added without looking whether the account has it. */
  checksPreviouslyAdded: boolean;
  now(): Date;
}

/** What happened to one line. */
export interface Moved {
  outcome: LineOutcome;
  service_account_number?: string;
  steps: { [Import in ImportOperation]?: StepResult };
  refusal?: Refusal;
  money: Money;
  /** What is told of what was accepted: each kind once. */
  remarks: Remarked[];
}

/** Something told of a line: an undocumented or a doubtful field, or one that is stored with another value. */
export interface Remarked {
  code: string;
  /** With `*` for the indexes of lists. */
  attr: string;
}
