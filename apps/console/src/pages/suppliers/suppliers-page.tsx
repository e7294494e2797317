import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { useOrganisations } from '../../data/use-organisations.ts';
import { type Supplier, useSuppliers } from '../../data/use-suppliers.ts';
import { NewSupplier } from './new-supplier.tsx';

const route = getRouteApi('/shell/suppliers');
const STATUSES = ['ONGOING', 'PAUSED', 'COMPLETE'];

/** Which settings does each supplier have? */
export function SuppliersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const suppliers = useSuppliers();
  const { choices, nameOf } = useOrganisations();
  const isShown = ({ organisation_id, status }: Supplier) =>
    organisation_id === (search.organisation ?? organisation_id) && status === (search.status ?? status);
  return (
    <>
      <PageHeader
        title="Import suppliers"
        question="Who moves which accounts, and by which rules?"
        actions={<NewSupplier organisations={choices} organisation={search.organisation} />}
      />
      <FilterBar
        filters={[
          { kind: 'choice', name: 'organisation', label: 'Organisation', choices },
          {
            kind: 'choice',
            name: 'status',
            label: 'Status',
            choices: STATUSES.map((value) => ({ value, name: value.toLowerCase() })),
          },
        ]}
        search={search}
        onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      />
      <Read of={suppliers}>
        {(all) => (
          <DataTable
            label="Import suppliers"
            rows={all.filter(isShown)}
            columns={columnsWith(nameOf)}
            keyOf={({ code }) => code}
            hasCards
            linkOf={({ code }) => ({ to: '/suppliers/$code', params: { code } })}
            empty={
              <Empty>
                {all.length === 0
                  ? 'None yet. An organisation comes first, then its import supplier and its key.'
                  : 'None is like that. Clear the filter to see them all.'}
              </Empty>
            }
          />
        )}
      </Read>
    </>
  );
}

function columnsWith(nameOf: (id: string) => string): readonly Column<Supplier>[] {
  return [
    { name: 'Code', cell: ({ code }) => code },
    { name: 'Name', hideBelow: 'narrow', cell: ({ name }) => name },
    { name: 'Organisation', hideBelow: 'medium', cell: ({ organisation_id }) => nameOf(organisation_id) },
    { name: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
    { name: 'Country', cell: ({ country }) => country },
    {
      name: 'E-mails',
      hideBelow: 'medium',
      cell: ({ send_customer_emails }) => (send_customer_emails ? 'sent' : 'none'),
    },
  ];
}
