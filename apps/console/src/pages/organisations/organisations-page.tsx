import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { NewButton } from '../../components/dialog-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { Row } from '../../components/stack.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useAction } from '../../data/use-action.ts';
import { type Supplier, useSuppliers } from '../../data/use-suppliers.ts';

type Organisation = OutputOf<'organisations.list'>[number];

function columnsWith(suppliers: readonly Supplier[]): readonly Column<Organisation>[] {
  return [
    { name: 'Name', cell: ({ name }) => name },
    {
      name: 'Import suppliers',
      cell: ({ id }) => <CodesOf suppliers={suppliers.filter(({ organisation_id }) => organisation_id === id)} />,
    },
    {
      name: 'See',
      cell: ({ id, name }) => (
        <Row>
          <Link to="/keys" search={{ organisation: id }} aria-label={`keys of ${name}`}>
            keys
          </Link>
          <Link to="/organisations/$id/webhooks" params={{ id }} aria-label={`webhooks of ${name}`}>
            webhooks
          </Link>
          <Link to="/audit" search={{ subject: 'organisation', id }} aria-label={`trail of ${name}`}>
            trail
          </Link>
        </Row>
      ),
    },
    { name: 'Created', hideBelow: 'medium', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

function CodesOf({ suppliers }: { suppliers: readonly Supplier[] }) {
  if (suppliers.length === 0) return 'none yet';
  return (
    <Row>
      {suppliers.map(({ code }) => (
        <Link key={code} to="/suppliers/$code" params={{ code }}>
          {code}
        </Link>
      ))}
    </Row>
  );
}

/** Who moves accounts here? */
export function OrganisationsPage() {
  const organisations = useQuery(askAll('organisations.list'));
  const suppliers = useSuppliers();
  return (
    <>
      <PageHeader
        title="Organisations"
        question="Who moves accounts here?"
        actions={<NewButton label="New organisation">{(close) => <Create onClose={close} />}</NewButton>}
      />
      <Read of={organisations}>
        {(rows) => (
          <DataTable
            label="Organisations"
            rows={rows}
            columns={columnsWith(suppliers.data ?? [])}
            keyOf={({ id }) => id}
            hasCards
            linkOf={({ id }) => ({ to: '/suppliers', search: { organisation: id } })}
            empty="None yet. It owns keys and import suppliers, so it comes first."
          />
        )}
      </Read>
    </>
  );
}

function Create({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const create = useAction('organisations.create');
  return (
    <FormDialog
      title="New organisation"
      confirm="Create"
      isReady={name.trim() !== ''}
      perform={() => create.mutateAsync({ name })}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} description="Unique, and not to be changed." />
    </FormDialog>
  );
}
