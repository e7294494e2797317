import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { NewButton } from '../../components/dialog-button.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { type Choices, stateChoices } from '../../components/options.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import { useAction } from '../../data/use-action.ts';
import { useOrganisations } from '../../data/use-organisations.ts';
import { type Supplier, useSuppliers } from '../../data/use-suppliers.ts';
import { SETTINGS } from './setting.ts';
import { SettingField } from './setting-field.tsx';

/** What has to be said of a new one; all else has its default, and is set on its page. */
const ASKED = ['code', 'name', 'country'] as const;

interface NewSupplierProps {
  organisations: Choices;
  /** The organisation to which the list is narrowed, which is chosen then. */
  organisation: string | undefined;
}

/** Creates an import supplier of an organisation, and leads to its settings. */
function NewSupplier(props: NewSupplierProps) {
  return <NewButton label="New import supplier">{(close) => <Create {...props} onClose={close} />}</NewButton>;
}

function Create({ organisations, organisation: shown = '', onClose }: NewSupplierProps & { onClose(): void }) {
  const navigate = useNavigate();
  const create = useAction('importSuppliers.create');
  const [organisation, setOrganisation] = useState(shown);
  const [values, setValues] = useState({ code: '', name: '', country: String(SETTINGS.create.country?.default ?? '') });
  const perform = async () => {
    const { code } = await create.mutateAsync({ ...values, organisation_id: organisation });
    await navigate({ to: '/suppliers/$code', params: { code } });
  };
  return (
    <FormDialog
      title="New import supplier"
      confirm="Create"
      isReady={organisation !== '' && values.code !== '' && values.name !== ''}
      perform={perform}
      onClose={onClose}
    >
      <ChoiceField label="Organisation" value={organisation} onChange={setOrganisation} choices={organisations} />
      {ASKED.map((name) => (
        <SettingField
          key={name}
          name={name}
          setting={SETTINGS.create[name] ?? {}}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
    </FormDialog>
  );
}

const route = getRouteApi('/shell/suppliers');
const STATUSES = ['ONGOING', 'PAUSED', 'COMPLETE'];

/** Which settings does each supplier have? */
export function SuppliersPage() {
  const search = route.useSearch();
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
          { name: 'organisation', label: 'Organisation', choices },
          { name: 'status', label: 'Status', choices: stateChoices(STATUSES) },
        ]}
        search={search}
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
              all.length === 0
                ? 'None yet. An organisation comes first, then its import supplier and its key.'
                : 'No import suppliers match. Clear the filter to see all of them.'
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
