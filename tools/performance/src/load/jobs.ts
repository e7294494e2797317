import { type AccountsJob, type AccountsResult, runAccounts } from './insert-accounts.ts';
import { runTurn } from './run-turn.ts';
import type { Turn, TurnResult } from './turn.ts';

/** The jobs of the load generator, and their results. */
export interface Jobs {
  turn: [Turn, TurnResult];
  accounts: [AccountsJob, AccountsResult];
}

export type Job = { [Kind in keyof Jobs]: { kind: Kind; of: Jobs[Kind][0] } }[keyof Jobs];
export type JobResult = { result: Jobs[keyof Jobs][1] } | { error: string };

export function runJob(job: Job): Promise<Jobs[keyof Jobs][1]> {
  switch (job.kind) {
    case 'turn':
      return runTurn(job.of);
    case 'accounts':
      return runAccounts(job.of);
  }
}
