import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { useSteadyRows } from '../../components/new-rows.tsx';
import { stateChoices } from '../../components/options.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { listOfSuppliers } from '../../data/list-of-suppliers.ts';
import { useLive } from '../../data/use-live.ts';
import { supplierChoices, useSuppliers } from '../../data/use-suppliers.ts';
import { NewReconciliation } from './new-reconciliation.tsx';

type Listed = OutputOf<'dataImport.listReconciliations'>[number];

const route = getRouteApi('/shell/reconciliations');
const VERDICTS = ['EQUAL', 'DIFFERENT', 'MOVED'];

const COLUMNS: readonly Column<Listed>[] = [
  { name: 'Asked for', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Supplier', cell: (one) => one.import_supplier },
  { name: 'Verdict', cell: ({ verdict, state }) => <StateBadge state={verdict ?? state} /> },
  { name: 'Finished', hideBelow: 'medium', cell: ({ finished_at }) => <Time at={finished_at} /> },
  { name: 'Signed by', hideBelow: 'narrow', cell: ({ signed_off }) => signed_off?.person ?? '–' },
];

/** Which books were compared? Of one import supplier or of all, newest first. */
export function ReconciliationsPage() {
  const search = route.useSearch();
  const suppliers = useSuppliers();
  const list = useLive(listOfSuppliers('dataImport.listReconciliations', search.supplier), (all) =>
    all.some(({ state }) => state === 'PLANNING' || state === 'RUNNING'),
  );
  return (
    <>
      <PageHeader
        title="Reconciliations"
        question="Which books were compared?"
        actions={<NewReconciliation supplier={search.supplier} />}
        updated={<UpdatedAgo at={list.dataUpdatedAt} />}
      />
      <FilterBar
        filters={[
          { name: 'supplier', label: 'Supplier', choices: supplierChoices(suppliers.data) },
          { name: 'verdict', label: 'Verdict', choices: stateChoices(VERDICTS) },
        ]}
        search={search}
      />
      <Read of={list}>{(all) => <List all={all} verdict={search.verdict} />}</Read>
    </>
  );
}

function List({ all, verdict }: { all: readonly Listed[]; verdict: string | undefined }) {
  const { steady, notice } = useSteadyRows(all, ({ id }) => id);
  const empty =
    all.length === 0
      ? 'Nothing was compared yet. A supplier lodges a manifest with `causeway manifest lodge`; then it is compared here.'
      : 'None has this verdict. Clear the filter to see them all.';
  return (
    <>
      {notice}
      <DataTable
        label="Reconciliations"
        hasCards
        rows={steady.filter((one) => verdict === undefined || one.verdict === verdict)}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/reconciliations/$id', params: { id } })}
        empty={<Sentence>{empty}</Sentence>}
      />
    </>
  );
}
