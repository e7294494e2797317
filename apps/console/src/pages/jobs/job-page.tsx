import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyValues } from '../../components/key-values.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { Stack } from '../../components/stack.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import bar from '../../components/state-bar.module.css';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import { TrailLink } from '../../components/trail-link.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { count, counted, share } from '../../format/numbers.ts';
import styles from './counts-panel.module.css';
import { FilesPanel } from './files-panel.tsx';
import { JobActions } from './job-actions.tsx';
import { isMoving, type Job, KINDS, nameOf, OUTCOMES, type Outcome, REASONS } from './job-words.ts';
import { ProblemsPanel } from './problems-panel.tsx';
import { ProgressPanel } from './progress-panel.tsx';
import { ReportPanel } from './report-panel.tsx';
import { SpeedPanel } from './speed-panel.tsx';
import { SumsPanel } from './sums-panel.tsx';
import { UndoJob } from './undo-job.tsx';

const ORDER = Object.keys(OUTCOMES) as Outcome[];

/** What happened to the lines, as parts of one strip, and as counts that add up to all of them. */
function CountsPanel({ job: { counts, lines } }: { job: Pick<Job, 'counts' | 'lines'> }) {
  const total = ORDER.reduce((sum, outcome) => sum + counts[outcome], 0);
  const all = lines ?? total;
  const shown = ORDER.filter((outcome) => counts[outcome] > 0);
  const words = shown.map((outcome) => `${count(counts[outcome])} ${OUTCOMES[outcome].name}`).join(', ');
  return (
    <Panel title="Lines" aside={<b>{lines === null ? 'not counted yet' : counted(lines, 'line')}</b>}>
      <div
        className={styles.strip}
        role="img"
        aria-label={`${counted(all, 'line')}: ${words || 'none has an outcome'}`}
      >
        {shown.map((outcome) => (
          <span key={outcome} className={styles[outcome]} style={{ flexGrow: counts[outcome] }} />
        ))}
      </div>
      <dl className={styles.counts} aria-label="Outcomes">
        {ORDER.map((outcome) => (
          <div key={outcome} className={counts[outcome] === 0 ? styles.none : undefined}>
            <dt>
              <span className={`${bar.sign} ${styles[outcome]}`} aria-hidden="true" />
              {OUTCOMES[outcome].name}
            </dt>
            <dd>
              <b>{count(counts[outcome])}</b> <span className={text.faint}>{share(counts[outcome], all)}</span>
              <p className={text.faint}>{OUTCOMES[outcome].meaning}</p>
            </dd>
          </div>
        ))}
      </dl>
      {lines !== null && total !== lines && <p>{`${count(total)} of ${counted(lines, 'line')} are planned so far.`}</p>}
    </Panel>
  );
}

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
        actions={
          <>
            <JobActions job={job} />
            <UndoJob job={job} />
          </>
        }
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

/** How the job was set up, and when what happened. */
function DetailsPanel({ job }: { job: Job }) {
  const { options, missing_parts: missing, selection } = job;
  return (
    <Panel title="Details" aside={<TrailLink subject="bulk_job" id={job.id} />}>
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

function pausesAt({ max_refused: most, max_refused_ratio: ratio }: Job['options']): string {
  const limits = [most !== null && `${count(most)} refused`, ratio !== null && `${share(ratio, 1)} refused`];
  return limits.filter(Boolean).join(', or ') || 'never';
}
