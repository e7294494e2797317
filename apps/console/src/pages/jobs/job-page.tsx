import { getRouteApi, Link } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { Stack } from '../../components/stack.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { CountsPanel } from './counts-panel.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { JobActions } from './job-actions.tsx';
import { isMoving, type Job, KINDS, nameOf, REASONS } from './job-words.ts';
import { ProblemsPanel } from './problems-panel.tsx';
import { ProgressPanel } from './progress-panel.tsx';
import { ReportPanel } from './report-panel.tsx';
import { SpeedPanel } from './speed-panel.tsx';
import { SumsPanel } from './sums-panel.tsx';

const route = getRouteApi('/shell/jobs/$id');

/** How fast is it, and may I slow it? */
export function JobPage() {
  const { id } = route.useParams();
  const job = useLive(ask('dataImport.bulkJob', { job_id: id }), isMoving);
  if (job.data === undefined) {
    return (
      <>
        <PageHeader title="Job" />
        <Read of={job}>{() => null}</Read>
      </>
    );
  }
  return <JobOnPage job={job.data} updatedAt={job.dataUpdatedAt} />;
}

function JobOnPage({ job, updatedAt }: { job: Job; updatedAt: number }) {
  // What has ended has no course to be watched: its details have that place.
  const hasEnded = job.finished_at !== null;
  return (
    <>
      <PageHeader
        title={nameOf(job)}
        badge={<StateBadge state={job.state} />}
        question={<Sentence of={job} />}
        actions={<JobActions job={job} />}
        updated={<UpdatedAgo at={updatedAt} />}
      />
      <Stack>
        <CountsPanel job={job} />
        <Stack isWide>
          <Stack>
            <SpeedPanel job={job} />
            <ProgressPanel key={`${job.id} ${job.run}`} job={job} />
            <FilesPanel job={job} />
            {hasEnded && <DetailsPanel job={job} />}
          </Stack>
          <SumsPanel title={isRehearsal(job) ? 'What it would add' : 'What it has added'} sums={job.sums} />
        </Stack>
        {job.report !== null && <ReportPanel job={job} report={job.report} />}
        <ProblemsPanel job={job} />
        {!hasEnded && <DetailsPanel job={job} />}
      </Stack>
    </>
  );
}

function Sentence({ of: { import_supplier: code, kind, run_mode, state_reason } }: { of: Job }) {
  return (
    <>
      <Link to="/migrations/$code" params={{ code }}>
        {code}
      </Link>
      {`: ${KINDS[kind]}${run_mode === 'REHEARSAL' ? ', as a rehearsal' : ''}`}
      {state_reason !== null && `. Paused: ${REASONS[state_reason]}`}
    </>
  );
}

const isRehearsal = ({ run_mode }: Job) => run_mode === 'REHEARSAL';
