import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { Time } from '../../components/time.tsx';
import { ask } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { count } from '../../format/numbers.ts';
import { JobState, tookOf } from '../jobs/job-state.tsx';
import { KINDS, nameOf } from '../jobs/job-words.ts';

/** The service lists them oldest first; a migration has a few. */
const MOST_JOBS = 1_000;
const SHOWN = 8;

/** The newest jobs of a migration, with what holds those that stand still. */
export function JobsPanel({ code, isMoving }: { code: string; isMoving: boolean }) {
  const jobs = useLive(ask('dataImport.listBulkJobs', { import_supplier: code, limit: MOST_JOBS }), () => isMoving);
  return (
    <Panel title="Jobs">
      <Read of={jobs}>
        {(rows) => (
          <DataTable
            label="Jobs"
            hasCards
            rows={rows.slice(-SHOWN).reverse()}
            keyOf={({ id }) => id}
            linkOf={({ id }) => ({ to: '/jobs/$id', params: { id } })}
            columns={[
              { name: 'Job', cell: (job) => nameOf(job) },
              { name: 'State', cell: (job) => <JobState of={job} /> },
              { name: 'Does', hideBelow: 'medium', cell: ({ kind }) => KINDS[kind] },
              { name: 'Lines', align: 'end', cell: ({ lines }) => (lines === null ? '–' : count(lines)) },
              { name: 'Started', hideBelow: 'narrow', cell: ({ started_at: at }) => <Time at={at} /> },
              { name: 'Took', align: 'end', hideBelow: 'medium', cell: (job) => tookOf(job) ?? '–' },
            ]}
            empty={<Empty>No job yet: accounts come by single calls, or as uploads that start here.</Empty>}
          />
        )}
      </Read>
    </Panel>
  );
}
