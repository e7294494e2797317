import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Loading } from '../../components/read.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { count } from '../../format/numbers.ts';
import type { Job } from './job-words.ts';

type Sample = OutputOf<'overview.progress'>[number];

/** An hour of polls; the oldest are forgotten first. */
const MOST_SAMPLES = 1_800;

const ProgressChart = lazy(async () => ({
  default: (await import('../migration/progress-chart.tsx')).ProgressChart,
}));

/** The lines that are done, since the page was opened, with the forecast; before that a straight line from the start. */
export function ProgressPanel({ job }: { job: Job }) {
  const [isTable, setTable] = useState(false);
  const samples = useSamples(job);
  // Nobody has watched it: a line from its start to its end would say that it was even.
  const isUnknown = job.finished_at !== null && samples.length === 2;
  if (samples.length < 2 || isUnknown) return null;
  return (
    <Panel
      title="Progress"
      aside={<Button onPress={() => setTable(!isTable)}>{isTable ? 'As chart' : 'As table'}</Button>}
    >
      {isTable ? (
        <DataTable
          label="Lines that are done"
          rows={samples.toReversed()}
          keyOf={({ at }) => at}
          columns={[
            { name: 'At', cell: ({ at }) => <Time at={at} /> },
            { name: 'Done', align: 'end', cell: ({ completed }) => count(completed) },
            { name: 'Waiting', align: 'end', cell: ({ staged }) => count(staged) },
          ]}
        />
      ) : (
        <Suspense fallback={<Loading />}>
          <ProgressChart of="Lines that are done" samples={samples} left={job.counts.waiting} estimate={job.estimate} />
        </Suspense>
      )}
    </Panel>
  );
}

/** What this page has seen of the job's run, in the form of a migration's samples. */
function useSamples(job: Job): Sample[] {
  const [seen, setSeen] = useState<readonly Sample[]>([]);
  useEffect(() => {
    const at = new Date().toISOString();
    setSeen((before) => [...before, sampleOf(job, job.finished_at ?? at)].slice(-MOST_SAMPLES));
  }, [job]);
  const { started_at: start, counts, lines } = job;
  if (start === null || seen.length === 0) return [];
  const all = lines ?? counts.waiting;
  const later = seen.filter(({ at }, place) => at > start && at !== seen[place + 1]?.at);
  return [{ at: start, staged: all, failed: 0, skipped: 0, completed: 0, undone: 0 }, ...later];
}

function sampleOf({ counts }: Job, at: string): Sample {
  const { waiting, refused, failed, not_processed, created, updated, unchanged, undone } = counts;
  const completed = created + updated + unchanged + undone + refused + failed;
  return { at, staged: waiting, failed: refused + failed, skipped: not_processed, completed, undone: 0 };
}
