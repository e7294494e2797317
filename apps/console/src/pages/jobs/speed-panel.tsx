import { LIMITS } from '@causeway/contracts/limits';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { announce } from '../../components/live-region.tsx';
import { Panel } from '../../components/panel.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { Row } from '../../components/stack.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAction } from '../../data/use-action.ts';
import { count, rate } from '../../format/numbers.ts';
import { duration, timeOfDay } from '../../format/times.ts';
import type { Job } from './job-words.ts';

/** How fast the job is, when it ends, and what slows it. */
export function SpeedPanel({ job }: { job: Job }) {
  const { options, state } = job;
  const hasEnded = state === 'FINISHED' || state === 'CANCELLED';
  return (
    <Panel title="Speed">
      <KeyValues
        of={[
          ['Now', hasEnded ? undefined : presentOf(job)],
          ['On average', averageOf(job)],
          [hasEnded ? 'Took' : 'Finishes', <Finish key="finish" job={job} />],
          ['Chunks at once', count(options.parallelism)],
          [
            'Speed limit',
            options.accounts_per_second === null ? 'none: as fast as it can' : rate(options.accounts_per_second),
          ],
        ]}
      />
      {!hasEnded && <Limits key={job.id} job={job} />}
    </Panel>
  );
}

/**
 * At rest, or the rate of the last minute. That counts whole chunks, so a short window has one too many: a job is never
 * shown as faster than it may be.
 */
function presentOf({ accounts_per_second: perSecond, options }: Job): string {
  if (perSecond === null) return 'at rest';
  return rate(Math.min(perSecond, options.accounts_per_second ?? perSecond));
}

/** Of a run that has ended. */
function averageOf({ started_at, finished_at, counts, lines }: Job): string | undefined {
  if (started_at === null || finished_at === null || lines === null) return undefined;
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1_000;
  return rate((lines - counts.not_processed - counts.waiting) / Math.max(1, seconds));
}

function Finish({ job: { estimate, finished_at, started_at, state } }: { job: Job }) {
  if (finished_at !== null && started_at !== null) {
    return duration((Date.parse(finished_at) - Date.parse(started_at)) / 1_000);
  }
  if (estimate === null) return state === 'RUNNING' ? 'known after 20 seconds' : '–';
  const { finishes_at, from, to } = estimate;
  return `${timeOfDay(finishes_at)} (${timeOfDay(from)} to ${timeOfDay(to)})`;
}

/** Takes effect at the next chunk, also while the job runs. */
function Limits({ job: { id, options } }: { job: Job }) {
  const [parallelism, setParallelism] = useState(String(options.parallelism));
  const [perSecond, setPerSecond] = useState(options.accounts_per_second?.toString() ?? '');
  const set = useAction('bulkJobs.setLimits');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const limits = {
      parallelism: Number(parallelism),
      accounts_per_second: perSecond === '' ? null : Number(perSecond),
    };
    set.mutate({ id, ...limits }, { onSuccess: () => announce('The limits of the job are changed.') });
  };
  return (
    <form onSubmit={submit} aria-label="Limits">
      <Row>
        <TextField
          label="Chunks at once"
          type="number"
          min={1}
          max={LIMITS.bulk_parallelism}
          isRequired
          value={parallelism}
          onChange={setParallelism}
        />
        <TextField
          label="Accounts a second, empty for no limit"
          type="number"
          min={1}
          max={LIMITS.bulk_accounts_per_second}
          value={perSecond}
          onChange={setPerSecond}
        />
        <Button type="submit" isPending={set.isPending}>
          Set limits
        </Button>
      </Row>
      {set.isSuccess && <p role="status">Changed: takes effect from the next chunk.</p>}
      <Refusal of={set.error} />
    </form>
  );
}
