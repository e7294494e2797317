import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { Row } from '../../components/stack.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useAction } from '../../data/use-action.ts';

type Organisation = OutputOf<'organisations.list'>[number];

const COLUMNS: readonly Column<Organisation>[] = [
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Created', hideBelow: 'narrow', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: 'Has',
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
];

/** Who moves accounts here? */
export function OrganisationsPage() {
  const organisations = useQuery(askAll('organisations.list'));
  const [isOpen, setOpen] = useState(false);
  useShortcut('n', 'New organisation', () => setOpen(true));
  return (
    <>
      <PageHeader
        title="Organisations"
        question="Who moves accounts here?"
        actions={
          <Button variant="primary" shortcut="n" onPress={() => setOpen(true)}>
            New organisation
          </Button>
        }
      />
      <Read of={organisations}>
        {(rows) => (
          <DataTable
            label="Organisations"
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            linkOf={({ id }) => ({ to: '/suppliers', search: { organisation: id } })}
            empty={<Empty>There is none yet. It owns keys and import suppliers, so it comes first.</Empty>}
          />
        )}
      </Read>
      {isOpen && <Create onClose={() => setOpen(false)} />}
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
