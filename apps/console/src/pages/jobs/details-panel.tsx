import { Link } from '@tanstack/react-router';
import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { count, share } from '../../format/numbers.ts';
import type { Job } from './job-words.ts';

/** How the job was set up, and when what happened. */
export function DetailsPanel({ job }: { job: Job }) {
  const { options, missing_parts: missing, selection } = job;
  return (
    <Panel title="Details" aside={<TrailLink id={job.id} />}>
      <KeyValues
        of={[
          ['Created', <Time key="created" at={job.created_at} />],
          ['Started', <Time key="started" at={job.started_at} />],
          ['Paused', <Time key="paused" at={job.paused_at} />],
          ['Ended', <Time key="ended" at={job.finished_at} />],
          ['Runs, rehearsals too', count(job.run)],
          ['Parts', `${count(job.parts)}${missing.length > 0 ? `, missing ${missing.map(count).join(', ')}` : ''}`],
          ['Operations team', options.operations_team_name],
          ['Pauses at', pausesAt(options)],
          ['Accounts', selection?.states.map((state) => state.toLowerCase()).join(' and ')],
          ['Id', <code key="id">{job.id}</code>],
        ]}
      />
    </Panel>
  );
}

function TrailLink({ id }: { id: string }) {
  return (
    <Link to="/audit" search={{ subject: 'bulk_job', id }}>
      Who did what
    </Link>
  );
}

function pausesAt({ max_refused: most, max_refused_ratio: ratio }: Job['options']): string {
  const limits = [most !== null && `${count(most)} refused`, ratio !== null && `${share(ratio, 1)} refused`];
  return limits.filter(Boolean).join(', or ') || 'never';
}
