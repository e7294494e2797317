import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { count } from '../../format/numbers.ts';
import { nameOf, REASONS } from '../jobs/job-words.ts';

type Job = OutputOf<'dataImport.listBulkJobs'>[number];

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
              { name: 'Job', cell: nameOf },
              { name: 'State', cell: (job) => <StateBadge state={job.state} /> },
              { name: 'Run', cell: runOf },
              { name: 'Lines', align: 'end', cell: ({ lines }) => (lines === null ? '–' : count(lines)) },
              {
                name: 'Why',
                hideBelow: 'medium',
                cell: ({ state_reason: why }) => (why === null ? '–' : REASONS[why]),
              },
              { name: 'Started', hideBelow: 'narrow', cell: ({ started_at: at }) => <Time at={at} /> },
            ]}
            empty={<Empty>No job yet: accounts come by single calls, or as uploads that start here.</Empty>}
          />
        )}
      </Read>
    </Panel>
  );
}

function runOf({ run_mode: mode, run }: Job): string {
  if (mode === null) return 'not started';
  return mode === 'REHEARSAL' ? 'rehearsal' : run > 1 ? `real, run ${run}` : 'real';
}
