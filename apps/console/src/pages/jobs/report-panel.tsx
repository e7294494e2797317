import { DataTable } from '../../components/data-table.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { count, counted } from '../../format/numbers.ts';
import { duration } from '../../format/times.ts';
import type { Job } from './job-words.ts';
import { SumsTable } from './sums-panel.tsx';

type Report = NonNullable<Job['report']>;

/** What the last rehearsal showed: what would pass, what would be refused, and how long it would take. */
export function ReportPanel({ report }: { report: Report }) {
  const { counts, accounts_changed_since: changed } = report;
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
      <SumsTable label="What the rehearsal would add" sums={report.sums} />
      <div>
        <h3>A rehearsal cannot show</h3>
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
    <DataTable
      label="How long the real run takes"
      rows={durations}
      keyOf={({ parallelism }) => String(parallelism)}
      columns={[
        { name: 'Chunks at the same time', cell: ({ parallelism }) => count(parallelism) },
        { name: 'Real run', align: 'end', cell: ({ seconds }) => duration(seconds) },
        { name: 'At best', align: 'end', cell: ({ from }) => duration(from) },
        { name: 'At worst', align: 'end', cell: ({ to }) => duration(to) },
      ]}
    />
  );
}
