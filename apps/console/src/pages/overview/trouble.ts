import type { OutputOf } from '../../data/ask.ts';
import { counted } from '../../format/numbers.ts';

type Migration = OutputOf<'overview.migrations'>[number];

/** What of a migration wants a person: each in a few words. Nothing of one that is complete. */
export function troubleOf({ status, failed, open_problems, jobs, last_reconciliation }: Migration): string[] {
  if (status === 'COMPLETE') return [];
  const held = jobs.filter(({ state, state_reason }) => state === 'PAUSED' && state_reason !== 'asked');
  const hasDifferences = last_reconciliation?.verdict === 'DIFFERENT' && !last_reconciliation.signed_off;
  return [
    ...(failed > 0 ? [counted(failed, 'failed account')] : []),
    ...(open_problems > 0 ? [counted(open_problems, 'kind of problem', 'kinds of problem')] : []),
    ...(held.length > 0 ? [counted(held.length, 'job stands still', 'jobs stand still')] : []),
    ...(hasDifferences ? ['differences not signed off'] : []),
  ];
}

/** Lines that jobs of a migration bring, which are no accounts before they are done: undefined if there are none. */
export function linesInJobs({ jobs }: Migration): string | undefined {
  const bringing = jobs.filter(({ kind }) => kind !== 'PROCESS');
  if (bringing.length === 0) return undefined;
  const lines = bringing.reduce((sum, job) => sum + (job.lines ?? 0), 0);
  return `${counted(bringing.length, 'job')} of ${counted(lines, 'line')}`;
}
