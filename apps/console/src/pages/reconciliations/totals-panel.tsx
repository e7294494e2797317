import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { figureDifference, figureName, figureValue, inOrder, type Reconciliation } from './figures.ts';

/** What each claimed figure adds up to on both sides. */
export function TotalsPanel({ totals }: { totals: NonNullable<Reconciliation['totals']> }) {
  return (
    <Panel title="Totals">
      <DataTable
        label="Totals of both sides"
        rows={inOrder(totals, ({ figure }) => figure)}
        keyOf={({ figure }) => figure}
        hasCards
        columns={[
          { name: 'Figure', cell: ({ figure }) => figureName(figure) },
          { name: 'Claimed', align: 'end', cell: ({ figure, expected }) => figureValue(figure, expected) },
          { name: 'Stored', align: 'end', cell: ({ figure, actual }) => figureValue(figure, actual) },
          { name: 'Difference', align: 'end', cell: ({ figure, difference }) => figureDifference(figure, difference) },
          {
            name: 'Result',
            hideBelow: 'narrow',
            cell: ({ difference }) => <StateBadge state={/[1-9]/.test(difference) ? 'DIFFERENT' : 'EQUAL'} />,
          },
        ]}
      />
    </Panel>
  );
}
