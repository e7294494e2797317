import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { figureDifference, figureName, figureValue, inOrder, isPart, type Reconciliation } from './figures.ts';
import styles from './totals-panel.module.css';

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
          {
            name: 'Figure',
            cell: ({ figure }) => (
              <span className={isPart(figure) ? styles.part : undefined}>{figureName(figure)}</span>
            ),
          },
          { name: 'Claimed', align: 'end', cell: ({ figure, expected }) => figureValue(figure, expected) },
          { name: 'Stored', align: 'end', cell: ({ figure, actual }) => figureValue(figure, actual) },
          {
            name: 'Difference',
            align: 'end',
            cell: ({ figure, difference }) => (
              <span className={/[1-9]/.test(difference) ? styles.differs : styles.equal}>
                {figureDifference(figure, difference)}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}
