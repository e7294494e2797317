import { DataTable } from '../../components/data-table.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { count, counted } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import type { Job } from './job-words.ts';
import { isSameMoney, SumsTable } from './sums-panel.tsx';

type Report = NonNullable<Job['report']>;

/** What the last rehearsal showed: what would pass, what would be refused, and how long it would take. */
export function ReportPanel({ job, report }: { job: Job; report: Report }) {
  const { counts, accounts_changed_since: changed } = report;
  const isSame = isSameMoney(report.sums, job.sums);
  return (
    <Panel title="Rehearsal" aside={<Time at={report.finished_at} />}>
      <KeyValues
        areShort
        of={[
          ['Would pass', count(counts.created + counts.updated + counts.unchanged)],
          ['Would be refused', count(counts.refused)],
          ['Failed', count(counts.failed)],
          ['Changed since', changed === 0 ? 'nothing' : counted(changed, 'account')],
        ]}
      />
      <Durations of={report.durations} />
      {!isSame && <SumsTable label="What the rehearsal would add" sums={report.sums} />}
      {isSame && job.run_mode === 'REAL' && <p>The real run has added the same money of each kind, to the penny.</p>}
      <div>
        <h3>What a rehearsal cannot show</h3>
        <ul>
          {report.not_covered.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function Durations({ of: durations }: { of: Report['durations'] }) {
  if (durations.length === 0) return null;
  return (
    <div>
      <h3>How long the real run takes</h3>
      <DataTable
        label="How long the real run takes"
        rows={durations}
        keyOf={({ parallelism }) => String(parallelism)}
        columns={[
          { name: 'Chunks at once', cell: ({ parallelism }) => count(parallelism) },
          { name: 'Likely', align: 'end', cell: ({ seconds }) => duration(seconds) },
          { name: 'At best', align: 'end', cell: ({ from }) => duration(from) },
          { name: 'At worst', align: 'end', cell: ({ to }) => duration(to) },
        ]}
      />
    </div>
  );
}
