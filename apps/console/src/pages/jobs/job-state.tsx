import { StateBadge } from '../../components/state-badge.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { duration } from '../../format/times.ts';
import { REASONS } from './job-words.ts';

type JobRecord = OutputOf<'dataImport.listBulkJobs'>[number];

/** How a job in a list stands, and why it stands still. */
export function JobState({ of: { state, state_reason, run_mode } }: { of: JobRecord }) {
  return (
    <>
      <StateBadge state={state} /> {run_mode === 'REHEARSAL' && state !== 'REHEARSED' && 'rehearsal '}
      {state_reason !== null && REASONS[state_reason]}
    </>
  );
}

/** How long its last run took: nothing of one that was not started, or has not ended. */
export function tookOf({ started_at, finished_at }: Pick<JobRecord, 'started_at' | 'finished_at'>): string | undefined {
  if (started_at === null || finished_at === null) return undefined;
  return duration((Date.parse(finished_at) - Date.parse(started_at)) / 1_000);
}
