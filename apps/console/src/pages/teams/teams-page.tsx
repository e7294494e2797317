import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { NewButton } from '../../components/dialog-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useAction } from '../../data/use-action.ts';
import { useOrganisations } from '../../data/use-organisations.ts';

type Team = OutputOf<'operationsTeams.list'>[number];

/** Which teams take accounts over? */
export function TeamsPage() {
  const teams = useQuery(askAll('operationsTeams.list'));
  const { nameOf } = useOrganisations();
  return (
    <>
      <PageHeader
        title="Operations teams"
        question="Which teams take accounts over?"
        actions={<NewButton label="New team">{(close) => <Create onClose={close} />}</NewButton>}
      />
      <Read of={teams}>
        {(rows) => (
          <DataTable
            label="Operations teams"
            rows={rows}
            columns={columnsWith(nameOf)}
            keyOf={({ id }) => id}
            hasCards
            empty="None yet. Accounts are linked to a team when they are created."
          />
        )}
      </Read>
    </>
  );
}

function columnsWith(nameOf: (id: string) => string): readonly Column<Team>[] {
  return [
    { name: 'Name', cell: ({ name }) => name },
    { name: 'Open to', cell: ({ organisation_id: id }) => (id === null ? 'all organisations' : nameOf(id)) },
    { name: 'Created', hideBelow: 'medium', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      name: 'Audit',
      hideBelow: 'medium',
      cell: ({ id, name }) => (
        <Link to="/audit" search={{ subject: 'operations_team', id }} aria-label={`trail of ${name}`}>
          trail
        </Link>
      ),
    },
  ];
}

/** In place of an organisation. */
const ALL = 'all';

function Create({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [owner, setOwner] = useState('');
  const { choices } = useOrganisations();
  const create = useAction('operationsTeams.create');
  return (
    <FormDialog
      title="New team"
      confirm="Create"
      isReady={name.trim() !== '' && owner !== ''}
      perform={() => create.mutateAsync({ name, ...(owner !== ALL && { organisation_id: owner }) })}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} description="Process calls name the team by it." />
      <ChoiceField
        label="Open to"
        value={owner}
        onChange={setOwner}
        choices={[...choices, { value: ALL, name: 'all organisations' }]}
      />
    </FormDialog>
  );
}
