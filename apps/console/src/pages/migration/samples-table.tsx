import { DataTable } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { count } from '../../format/numbers.ts';

type Sample = OutputOf<'overview.progress'>[number];

/** What the chart shows, newest first. */
export function SamplesTable({ samples }: { samples: readonly Sample[] }) {
  return (
    <DataTable
      label="Accounts by state over time"
      rows={samples.toReversed()}
      keyOf={({ at }) => at}
      columns={[
        { name: 'At', cell: ({ at }) => <Time at={at} /> },
        { name: 'Completed', align: 'end', cell: ({ completed }) => count(completed) },
        { name: 'Staged', align: 'end', cell: ({ staged }) => count(staged) },
        { name: 'Failed', align: 'end', cell: ({ failed }) => count(failed) },
        { name: 'Skipped', align: 'end', hideBelow: 'narrow', cell: ({ skipped }) => count(skipped) },
      ]}
    />
  );
}
